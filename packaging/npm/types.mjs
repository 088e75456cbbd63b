// Writes the TypeScript types of JSON Schemas: types.mjs SCHEMA...
// It supports the keywords that docs/check-report.schema.json uses, and ends with an error at any other one.
import { readFileSync } from "node:fs";

const schemas = process.argv.slice(2).map((path) => JSON.parse(readFileSync(path, "utf8")));
const known = new Set([
    "$schema", "$ref", "$defs", "title", "description", "type", "const", "enum", "anyOf", "allOf", "items", "properties",
    "required", "minimum", "maximum", "additionalProperties",
]);
const primitives = { string: "string", integer: "number", number: "number", boolean: "boolean", null: "null" };

function comment({ description }, indent) {
    return description ? `${indent}/** ${description} */\n` : "";
}

function members({ properties, required = [] }) {
    return Object.entries(properties).map(([name, member]) => {
        const optional = required.includes(name) ? "" : "?";
        return `${comment(member, "    ")}    ${name}${optional}: ${type(member)};\n`;
    }).join("");
}

function type(schema) {
    const unknown = Object.keys(schema).find((keyword) => !known.has(keyword));
    if (unknown) throw new Error(`the keyword ${unknown} is not supported`);
    if (schema.$ref) return schema.$ref.replace("#/$defs/", "");
    if ("const" in schema) return JSON.stringify(schema.const);
    if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
    if (schema.anyOf) return schema.anyOf.map(type).join(" | ");
    if (schema.type === "array") return `${type(schema.items)}[]`;
    if (schema.additionalProperties) return `Record<string, ${type(schema.additionalProperties)}>`;
    return [schema.type].flat().map((name) => {
        if (!primitives[name]) throw new Error(`the type ${name} has no name: move it to $defs`);
        return primitives[name];
    }).join(" | ");
}

function declaration(name, schema) {
    if (schema.type !== "object") return `${comment(schema, "")}export type ${name} = ${type(schema)};\n`;
    const parents = (schema.allOf ?? []).map(type);
    const extended = parents.length > 0 ? ` extends ${parents.join(", ")}` : "";
    return `${comment(schema, "")}export interface ${name}${extended} {\n${members(schema)}}\n`;
}

const declarations = Object.assign({}, ...schemas.map((schema) => ({ [schema.title]: schema, ...schema.$defs })));
process.stdout.write(Object.entries(declarations).map(([name, part]) => declaration(name, part)).join("\n"));
