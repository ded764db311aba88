/**
 * Reads an OpenAPI document from standard input, and prints TypeScript declarations of its types. These
 * declarations are not in the repository, because every check of the page's types generates them again.
 */

import { text } from "node:stream/consumers";
import { argv, stdin } from "node:process";
import { pathToFileURL } from "node:url";

/** Returns a declaration of each schema. @param {{ components: { schemas: Record<string, any> } }} document */
export const declarationsOf = ({ components: { schemas } }) =>
  Object.entries(schemas).map(([name, schema]) => `${commentOf(schema)}export type ${name} = ${typeOf(schema)};\n`).join("");

/** @param {any} schema @returns {string} */
function typeOf(schema) {
  const { $ref, oneOf, anyOf, allOf, enum: values, const: value, type } = schema;
  if ($ref !== undefined) return $ref.split("/").at(-1);
  if (value !== undefined) return JSON.stringify(value);
  if (values !== undefined) return values.map((/** @type {unknown} */ one) => JSON.stringify(one)).join(" | ");
  const union = oneOf ?? anyOf;
  if (union !== undefined) return joined(union.map(typeOf), " | ");
  if (allOf !== undefined) return joined(allOf.map(typeOf), " & ");
  return joined([type].flat().map((/** @type {string} */ one) => plainTypeOf(one, schema)), " | ");
}

/** @param {string} type @param {any} schema */
function plainTypeOf(type, { items, prefixItems, properties, required = [], additionalProperties }) {
  if (type === "array") return prefixItems === undefined ? `(${typeOf(items ?? {})})[]` : `[${prefixItems.map(typeOf).join(", ")}]`;
  if (type !== "object") return PLAIN[type] ?? "unknown";
  const others = typeof additionalProperties === "object" ? typeOf(additionalProperties) : "unknown";
  if (properties === undefined) return `Record<string, ${others}>`;
  const fields = Object.entries(properties).map(
    ([name, schema]) => `  ${commentOf(schema)}${JSON.stringify(name)}${required.includes(name) ? "" : "?"}: ${typeOf(schema)};\n`,
  );
  return `{\n${fields.join("")}}`;
}

/** @type {Record<string, string>} */
const PLAIN = { string: "string", integer: "number", number: "number", boolean: "boolean", null: "null" };

/** @param {string[]} types @param {string} sign */
const joined = (types, sign) => (types.length === 1 ? types.join("") : `(${[...new Set(types)].join(sign)})`);

/** @param {{ description?: string }} schema */
const commentOf = ({ description }) => (description === undefined ? "" : `/** ${description.replaceAll("*/", "* /")} */\n`);

if (import.meta.url === pathToFileURL(argv[1] ?? "").href) process.stdout.write(declarationsOf(JSON.parse(await text(stdin))));
