// Reads the site of the example repositories like a user, below a prefix of a server and from files, with pages of strings
// and with packed ones. A crawler follows every link, script and image; axe, html-validate and the page weight are checked
// on one page of each kind.
// Arguments: the address of the directory with the two sites, its path, the browser.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { audit, launch, markup, open } from './pages.mjs';

const [address, folder, executablePath] = process.argv.slice(2);
/** The most bytes that a page loads, without the index of the search. */
const MOST_BYTES = 60_000;
const browser = await launch(executablePath);
const files = `${pathToFileURL(folder)}/`;

/** The text at a URL; fails if there is nothing. */
async function read(url, from) {
  if (url.startsWith('file:')) {
    const path = fileURLToPath(url);
    assert.ok(existsSync(path) && statSync(path).isFile(), `${from} leads to ${url}`);
    return readFileSync(path, 'utf8');
  }
  const answer = await fetch(url);
  assert.equal(answer.status, 200, `${from} leads to ${url}`);
  return answer.text();
}

/** Follows all links from the start page; gives how many files there are. */
async function crawl(base) {
  const from = new Map([[`${base}index.html`, '']]);
  // The loop also visits entries that are added to the map while it runs.
  for (const [url, source] of from) {
    const body = await read(url, source);
    if (!/\.(html|svg)$/.test(url)) continue;
    // The page of the documentation of the API explains links in scripts.
    for (const [, link] of body.matchAll(/\s(?:(?:xlink:)?href|src|action)="([^"#]+)"/g)) {
      const target = new URL(link.replaceAll('&#38;', '&').replaceAll('&amp;', '&').replaceAll('&#39;', "'"), url);
      target.hash = '';
      target.search = '';
      // Servers send the page of a directory.
      if (target.pathname.endsWith('/')) target.pathname += 'index.html';
      if (target.href.startsWith(base)) from.set(target.href, from.get(target.href) ?? url);
      // Absolute addresses of the site itself are those of its server.
      else assert.ok(/^https?:/.test(target.href) && /^https?:/.test(link), `${url}: ${link} leaves the site`);
    }
  }
  return from.size;
}

/** Searches, opens a string, goes to the next one and to another language, and switches the theme. */
async function walk(base, isPacked) {
  const { context, page, complaints } = await open(browser, base, { colorScheme: 'light' });
  const main = page.locator('main');
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.goto(`${base}index.html`);
  await page.getByRole('link', { name: 'Search' }).first().click();
  await main.getByRole('searchbox').fill('lampička');
  await main.getByText('Lampička na čtení').first().waitFor();
  await main.getByRole('searchbox').fill('key:appName');
  await main.getByRole('table').getByRole('link', { name: 'appName' }).first().click();
  const head = page.locator('h1');
  await head.getByText('appName', { exact: true }).waitFor();
  assert.equal(page.url().includes('#'), isPacked, page.url());
  await main.getByRole('link', { name: 'Czech', exact: true }).last().click();
  await main.locator('.side').getByText('Lampička na čtení').waitFor();
  await main.getByRole('link', { name: 'Next' }).click();
  await page.waitForFunction(() => document.querySelector('h1').textContent !== 'appName');
  await page.goBack();
  await head.getByText('appName', { exact: true }).waitFor();

  const light = await ground();
  await page.getByLabel('Theme').selectOption('dark');
  assert.notEqual(await ground(), light);
  const dark = await ground();
  await page.getByRole('link', { name: 'Projects' }).first().click();
  await page.waitForURL(`${base}index.html`);
  assert.equal(await ground(), dark);
  assert.deepEqual(complaints, []);
  await context.close();
}

/** Reads from the start page to a string, its history and the log with a browser that runs no scripts. */
async function readWithoutScripts(base, isPacked) {
  const { context, page, complaints } = await open(browser, base, { javaScriptEnabled: false });
  const main = page.locator('main');
  const follow = (name) => main.getByRole('link', { name, exact: true }).first().click();
  const notice = async (text) => assert.ok((await main.locator('noscript p').innerText()).startsWith(text));
  await page.goto(`${base}index.html`);
  await follow('Reading Lamp');
  await follow('extension');
  await follow('Czech');
  await follow('All strings');
  await main.getByRole('table').getByText('Lampička na čtení').first().waitFor();
  await main.getByRole('link', { name: 'appName', exact: true }).first().click();
  if (isPacked) {
    await notice('This page needs a script');
    await follow('the list of strings');
    await main.getByRole('table').getByText('Lampička na čtení').first().waitFor();
  } else {
    await main.getByText('Lampička na čtení').first().waitFor();
    await main.getByRole('heading', { name: 'History' }).waitFor();
  }
  await page.getByRole('link', { name: 'Changes' }).first().click();
  await main.getByRole('link', { name: 'Next', exact: false }).click();
  await main.getByText(/^13–24 of/).waitFor();
  await page.getByRole('link', { name: 'Search' }).first().click();
  await notice('The search needs a script');
  assert.deepEqual(complaints, []);
  await context.close();
}

/** Visits a page; gives the bytes of all that it loads, without the index of the search and the strings of shards. */
async function weigh(base, path) {
  const { context, page } = await open(browser, base, {});
  const bodies = [];
  page.on('response', (response) => {
    const isIndex = /\/search\/(catalog|.+\/.+)\.js$|\/\d+\.js$/.test(response.url());
    if (!isIndex) bodies.push(response.body());
  });
  await page.goto(base + path, { waitUntil: 'networkidle' });
  const lengths = (await Promise.all(bodies)).map((body) => body.length);
  await context.close();
  return lengths.reduce((sum, length) => sum + length, 0);
}

/** The slowest search of 100,000 strings in milliseconds, from the input to the laid out results. */
async function typing(base) {
  const { context, page } = await open(browser, base, {});
  const words = 'open close file user name window password language error loading video device library music'.split(' ');
  // The same texts in each run, which most words find in many strings.
  let state = 1;
  const text = () => Array.from({ length: 6 }, () => words[(state = (state * 48271) % 2147483647) % words.length]).join(' ');
  const texts = () => Array.from({ length: 1000 }, text);
  const languages = Array.from({ length: 100 }, (_, at) => [`l${at}`, `Language ${at}`, `p/c/texts/l${at}.js`, `translate/p/c/l${at}/`]);
  const component = { project: 'p', name: 'P, C', source: 'en', file: 'p/c/keys.js', languages };
  const scripts = new Map([['catalog.js', `window.gitglotCatalog=${JSON.stringify({ components: [component] })}`]]);
  const part = (name, content) => scripts.set(name, `gitglotIndex("${name}",${JSON.stringify(content)})`);
  part('p/c/keys.js', { checksums: texts().map((_, at) => at.toString(16)), keys: texts(), sources: texts() });
  for (const [, , name] of languages) part(name, { pages: true, targets: texts() });
  const isPart = (url) => scripts.has(url.pathname.split('/search/')[1]);
  await page.route(isPart, (route) => {
    const body = scripts.get(new URL(route.request().url()).pathname.split('/search/')[1]);
    return route.fulfill({ contentType: 'text/javascript', body });
  });
  await page.goto(`${base}search/index.html?q=nothing`);
  await page.getByText('0 strings.').waitFor();
  let slowest = 0;
  for (const query of ['e', 'open', 'file user', 'video music device', 'nothing', 'key:error', 'target:name language']) {
    const times = await page.evaluate(async (wanted) => {
      const input = document.getElementById('q');
      const results = [];
      for (let round = 0; round < 9; round += 1) {
        input.value = wanted;
        const start = performance.now();
        input.dispatchEvent(new Event('input', { bubbles: true }));
        await new Promise((resolve) => { setTimeout(resolve, 0); });
        results.push(document.body.offsetHeight && performance.now() - start);
      }
      return results.sort((a, b) => a - b);
    }, query);
    slowest = Math.max(slowest, times[4]);
  }
  await context.close();
  return slowest;
}

const all = `${address}all/`;
const packed = `${address}packed/`;
const crawled = [await crawl(all), await crawl(`${files}all/`), await crawl(`${files}packed/`)];
for (const base of [address, files]) {
  await walk(`${base}all/`, false);
  await walk(`${base}packed/`, true);
  await readWithoutScripts(`${base}all/`, false);
  await readWithoutScripts(`${base}packed/`, true);
}

const list = 'translate/reading-lamp/extension/cs/index.html';
const string = (await read(all + list)).match(/checksum=[0-9a-f]+/)[0];
const pages = [
  'index.html',
  'projects/reading-lamp/index.html',
  'stats/reading-lamp/index.html',
  'changes/index.html',
  list,
  `translate/reading-lamp/extension/cs/${string}/index.html`,
  'search/index.html?q=lamp',
];
const visit = async (page, path) => {
  await page.goto(path);
  if (path.includes('?q=')) await page.getByText(/^\d+ strings?\.$/).waitFor();
  if (path.includes('#')) await page.getByRole('heading', { name: 'History' }).waitFor();
};
const packedString = `translate/reading-lamp/extension/cs/string/index.html#${string.replace('checksum=', '')}`;
const audited = [...pages.map((path) => all + path), packed + packedString];
await audit(browser, address, audited, visit);
let most = 0;
for (const path of pages) {
  const report = await markup.validateString(await read(all + path.split('?')[0]));
  assert.deepEqual(report.results.flatMap((result) => result.messages), [], path);
  const bytes = await weigh(all, path);
  assert.ok(bytes <= MOST_BYTES, `${path}: ${bytes} bytes`);
  most = Math.max(most, bytes);
}
const typed = await typing(all);
// The goal is 50 ms on an idle machine.
assert.ok(typed <= 500, `a search takes ${typed} ms`);
await browser.close();
console.log(`a crawler follows ${crawled.join(' + ')} files; a browser searches, opens strings and switches the theme on `
  + `four sites, and reads them without scripts; axe finds nothing on ${audited.length} pages, which load ${most} bytes at most; `
  + `a search of 100,000 strings takes ${typed.toFixed(0)} ms`);
