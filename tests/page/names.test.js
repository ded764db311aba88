import assert from "node:assert/strict";
import { test } from "node:test";

import { name, nameServices, names } from "../../web/strings/lists.js";

const shown = () => [0, 1, 2, 3, 4].map(name);

test("processes of services have the names of the scenario", () => {
  nameServices({ nodes: 5, services: [{ name: "redis", count: 2 }, { name: "db", count: 1 }] });
  assert.deepEqual(shown(), ["P0", "P1", "redis.0", "redis.1", "db"]);
  assert.equal(names.en([1, 4]), "P1 and db");
  for (const other of [{ nodes: 5 }, undefined]) {
    nameServices(other);
    assert.deepEqual(shown(), ["P0", "P1", "P2", "P3", "P4"]);
  }
});
