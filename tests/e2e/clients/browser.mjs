// Visits the pages of the demo like a user, without and with scripts, under their content security policy. Then requests
// every page that a link or the API names, validates its markup with html-validate, and checks one page of each kind with
// axe: light and dark, narrow and wide.
// Arguments: the address of the demo, the browser.

import assert from 'node:assert/strict';

import { audit, launch, markup, open as openPage } from './pages.mjs';

const [base, executablePath] = process.argv.slice(2);
const browser = await launch(executablePath);
const open = (options) => openPage(browser, base, options);

/** From the start page to a stale string and its history, by links and forms alone. */
async function walk() {
  const { context, page, complaints } = await open({ javaScriptEnabled: false });
  const seen = [];
  const go = async (link) => {
    await Promise.all([page.waitForEvent('load'), link.click()]);
    seen.push(new URL(page.url()).pathname + new URL(page.url()).search);
  };
  const main = page.locator('main');
  await page.goto(base);
  seen.push('/');
  await go(main.getByRole('link', { name: 'Reading Lamp', exact: true }).first());
  await go(main.getByRole('link', { name: 'History', exact: true }));
  for (const view of ['Tables', 'Map', 'Contributors']) await go(main.getByRole('link', { name: view, exact: true }));
  await go(main.getByRole('link', { name: 'Reading Lamp', exact: true }));
  await go(main.getByRole('link', { name: 'Extension', exact: true }).first());
  await go(main.getByRole('row', { name: /^Spanish/ }).getByRole('link').first());
  await go(main.getByRole('row', { name: /^Stale/ }).getByRole('link').first());
  await go(main.getByRole('link', { name: 'appDescription' }));
  assert.match(await main.innerText(), /The source has changed since this was translated/);
  assert.match(await main.innerText(), /New translation in Spanish/);
  await go(main.getByRole('link', { name: 'List' }));
  await main.getByLabel('matching').fill('key:appName');
  await main.getByLabel('Show').selectOption('all');
  await go(main.getByRole('button', { name: 'Search' }));
  assert.match(await main.innerText(), /1 string\b/);
  await go(page.getByRole('link', { name: 'Changes' }).first());
  await main.getByLabel('Language').selectOption('cs');
  await go(main.getByRole('button', { name: 'Show' }));
  await go(page.getByRole('link', { name: 'Languages' }).first());
  await go(page.getByRole('link', { name: 'Checks' }).first());
  await go(main.getByRole('row').getByRole('link').first());
  await go(page.getByRole('link', { name: 'Search' }).first());
  await main.getByLabel('Search for').fill('lampička');
  await go(main.getByRole('button', { name: 'Search' }));
  assert.match(await main.innerText(), /Lampička na čtení/);
  await go(page.getByRole('link', { name: 'About this server' }));
  assert.deepEqual(complaints, []);
  await context.close();
  return seen;
}

/** The features of the script: a stored theme, local times, numbers under the pointer, live updates. */
async function liven() {
  const { context, page, complaints } = await open({ timezoneId: 'Pacific/Auckland', colorScheme: 'light' });
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  let sent = '';
  await page.route('**/api/events/**', (route) => route.fulfill({ contentType: 'text/event-stream', body: sent }));
  await page.goto(`${base}/projects/reading-lamp/`);
  const light = await ground();
  await page.getByLabel('Theme').selectOption('dark');
  const dark = await ground();
  assert.notEqual(light, dark);
  await page.reload();
  assert.equal(await ground(), dark);
  await page.getByLabel('Theme').selectOption('auto');
  assert.equal(await ground(), light);

  const time = page.locator('main time').first();
  const utc = await time.getAttribute('datetime');
  const here = await page.evaluate((moment) => new Date(moment).toLocaleDateString('sv'), utc);
  assert.equal(await time.innerText(), here);
  assert.match(await time.getAttribute('title'), /NZ[DS]T|GMT\+1[23]/);

  assert.equal(await page.locator('.news').innerText(), '');
  sent = 'id: 1000000\nevent: change\ndata: {}\n\n';
  await page.reload();
  await page.getByRole('status').getByText('1 new change since this page was loaded. Show').waitFor();

  await page.goto(`${base}/stats/reading-lamp/`);
  const area = await page.locator('.area').boundingBox();
  await page.mouse.move(area.x + area.width - 1, area.y + area.height / 2);
  assert.match(await page.locator('figcaption.reading').innerText(), /^.+, \d{4}-\d\d: [\d.]+ %$/);
  await page.locator('svg:has(.bars)').focus();
  await page.keyboard.press('Home');
  assert.match(await page.locator('div.reading').innerText(), /\d{4}-\d\d/);
  assert.deepEqual(complaints, []);
  await context.close();
}

/** Asks for everything that links and the API lead to; gives how many pages there are. */
async function crawl() {
  const paths = new Set(['/']);
  for (const list of ['projects', 'components', 'languages', 'translations', 'units']) {
    const lines = await (await fetch(`${base}/api/${list}/?format=ndjson`)).text();
    for (const { web_url, share_url, translate_url } of lines.split('\n').filter(Boolean).map((line) => JSON.parse(line))) {
      for (const url of [web_url, share_url, translate_url].filter(Boolean)) paths.add(url.replace(base, ''));
    }
  }
  const ours = /^\/(?!api\/|exports\/|download\/|line\/|widgets\/.*\.|static\/)/;
  // The loop also visits elements that are added to the set while it runs.
  let count = 0;
  for (const path of paths) {
    const answer = await fetch(base + path);
    const body = await answer.text();
    assert.equal(answer.status, 200, path);
    assert.ok(body.length < 50_000, `${path}: ${body.length} bytes`);
    // Pages of strings and of the languages of a comparison differ mostly in their texts, so one of ten is checked.
    if (!/[?&](checksum|language)=/.test(path) || count % 10 === 0) {
      const report = await markup.validateString(body);
      assert.deepEqual(report.results.flatMap((result) => result.messages), [], path);
    }
    count += 1;
    for (const [, link] of body.matchAll(/ href="([^"#]+)"/g)) {
      const target = link.replaceAll('&#38;', '&').replaceAll('&amp;', '&').replaceAll('&#39;', "'");
      // Filters lead to each other without end.
      const most = /[?&]origin=/.test(target) ? 300 : /[?&](page|user|q|language)=/.test(target) ? 2500 : Infinity;
      if (ours.test(target) && paths.size < most) paths.add(target);
    }
  }
  return count;
}

await liven();
const others = ['/widgets/seedbook/', '/engage/seedbook/', '/engage/seedbook/ar/', '/languages/ar/', '/languages/ar/seedbook/'];
const special = ['/translate/seedbook/app/ar/', '/projects/seedbook/app/ar/', '/stats/seedbook/ar/', '/search/?q=(', '/checks/same/', '/api/docs/'];
const paths = [...new Set([...(await walk()), ...others, ...special])];
const crawled = await crawl();
await audit(browser, base, paths, async (page, path, where) => {
  const answer = await page.goto(base + path);
  assert.equal(answer.status(), 200, where);
});
await browser.close();
console.log(`a browser walks through ${paths.length} pages and axe finds nothing; ${crawled} are there and valid`);
