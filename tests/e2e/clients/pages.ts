// Pages through units and changes with the typed client, and follows the log; prints numbers and totals of ids.

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

// Follows the log from its beginning: each answer has the entries after the last one.
const followed: number[] = [];
for (;;) {
    const id_after = followed.at(-1) ?? 0;
    const { data } = await client.GET("/api/changes/", { params: { query: { id_after, page_size: 7 } } });
    if (data === undefined || data.results.length === 0) {
        break;
    }
    followed.push(...data.results.map((entry) => entry.id));
}
console.log(followed.length, followed.reduce((sum, id) => sum + id, 0));

// A component at a revision, and a comparison.
const component = { project: "reading-lamp", component: "extension" };
const units = await client.GET("/api/components/{project}/{component}/revisions/{revision}/units/", {
    params: { path: { ...component, revision: "HEAD" }, query: { page_size: 1000 } },
});
const report = await client.GET("/api/components/{project}/{component}/compare/{range}/", {
    params: { path: { ...component, range: "HEAD...HEAD" }, query: { page_size: 1 } },
});
console.log(units.data?.count, report.data?.count);
