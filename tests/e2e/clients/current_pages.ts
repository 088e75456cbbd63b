// Pages through units and changes of the current API with its typed client; prints numbers and totals of ids, and the
// statistics of a project.

import createClient from "openapi-fetch";
import type { paths } from "./current_schema.js";

const headers = { Accept: "application/json" };
const client = createClient<paths, "application/json">({ baseUrl: process.argv[2], headers });

async function everything(path: "/current/api/units/" | "/current/api/changes/"): Promise<number[]> {
    const ids: number[] = [];
    for (let page = 1; ; page += 1) {
        const { data, error, response } = await client.GET(path, {
            params: { query: { page, page_size: 100 } },
        });
        if (data === undefined) {
            throw new Error(`${response.status}: ${error.errors[0].detail}`);
        }
        ids.push(...data.results.map((entry) => entry.id));
        if (data.next === null) {
            return ids;
        }
    }
}

for (const path of ["/current/api/units/", "/current/api/changes/"] as const) {
    const ids = await everything(path);
    // Ids of changes are below 2^53, their total is not.
    console.log(ids.length, String(ids.reduce((sum, id) => sum + BigInt(id), 0n)));
}

const { data } = await client.GET("/current/api/projects/{project}/statistics/", {
    params: { path: { project: "reading-lamp" } },
});
console.log(data?.total, data?.translated_percent);
