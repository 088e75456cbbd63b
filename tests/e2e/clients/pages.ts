// Pages through units and changes with the typed client; prints how many there are and the sum of their numbers.

import createClient from "openapi-fetch";
import type { paths } from "./schema.js";

const headers = { Accept: "application/json" };
const client = createClient<paths, "application/json">({ baseUrl: process.argv[2], headers });

async function everything(path: "/api/units/" | "/api/changes/"): Promise<number[]> {
    const ids: number[] = [];
    for (let page = 1; ; page += 1) {
        const { data, error, response } = await client.GET(path, {
            params: { query: { page, page_size: 100 } },
        });
        if (data === undefined) {
            throw new Error(`${response.status}: ${error.detail}`);
        }
        ids.push(...data.results.map((entry) => entry.id));
        if (data.next === null) {
            if (ids.length !== data.count) {
                throw new Error(`${ids.length} of ${data.count}`);
            }
            return ids;
        }
    }
}

for (const path of ["/api/units/", "/api/changes/"] as const) {
    const ids = await everything(path);
    console.log(ids.length, ids.reduce((sum, id) => sum + id, 0));
}
