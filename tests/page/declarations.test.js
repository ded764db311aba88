/** TypeScript declarations for the types of the OpenAPI document. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { declarationsOf } from "./declarations.js";

const typeOf = (schema) => {
  const [, type] = /^export type A = (.*);\n$/su.exec(declarationsOf({ components: { schemas: { A: schema } } }));
  return type.replaceAll(/\s+/gu, " ");
};

test("plain types, lists, tables and references have their types", () => {
  assert.equal(typeOf({ type: "integer", minimum: 0 }), "number");
  assert.equal(typeOf({ type: ["string", "null"] }), "(string | null)");
  assert.equal(typeOf({ type: "array", items: { $ref: "#/components/schemas/Run" } }), "(Run)[]");
  assert.equal(typeOf({ type: "array", prefixItems: [{ type: "integer" }, { type: "string" }] }), "[number, string]");
  assert.equal(typeOf({ type: "object", additionalProperties: { type: "number" } }), "Record<string, number>");
  assert.equal(typeOf({ type: "object" }), "Record<string, unknown>");
  assert.equal(typeOf({}), "unknown");
});

test("unions and intersections have all their parts once", () => {
  assert.equal(typeOf({ oneOf: [{ type: "null" }, { $ref: "#/components/schemas/View" }] }), "(null | View)");
  assert.equal(typeOf({ anyOf: [{ type: "integer" }, { type: "number" }] }), "(number)");
  assert.equal(typeOf({ allOf: [{ $ref: "#/components/schemas/B" }, { type: "object" }] }), "(B & Record<string, unknown>)");
  assert.equal(typeOf({ type: "string", enum: ["ok", "slow"] }), '"ok" | "slow"');
  assert.equal(typeOf({ type: "array", items: { type: "string", enum: ["ok", "slow"] } }), '("ok" | "slow")[]');
  assert.equal(typeOf({ const: "delivered" }), '"delivered"');
});

test("a field is optional unless it is required", () => {
  const properties = { node: { type: "integer" }, "due-us": { type: "integer" } };
  assert.equal(typeOf({ type: "object", properties, required: ["node"] }), '{ "node": number; "due-us"?: number; }');
  assert.equal(typeOf({ type: "object", properties }), '{ "node"?: number; "due-us"?: number; }');
});

test("a description cannot end its comment", () => {
  const text = declarationsOf({ components: { schemas: { A: { description: "Of `a/*b*/`.", type: "string" } } } });
  assert.equal(text, "/** Of `a/*b* /`. */\nexport type A = string;\n");
});
