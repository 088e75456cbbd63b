// Walks through the pages of the demo as a person does, with the policy of the pages in force, then has axe look at a
// page of each kind in light and dark, on a phone and on a wide screen, and html-validate at its markup.
// Arguments: the address of the demo, the browser.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { HtmlValidate } from 'html-validate';
import { chromium } from 'playwright-core';

const [base, executablePath] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', ...quiet] });

/** A page that notes what the browser complains about. */
async function open(options) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => request.url().startsWith(base) || complaints.push(`asked for ${request.url()}`));
  return { context, page, complaints };
}

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
  await go(main.getByRole('link', { name: 'History and contributors' }));
  await page.goBack();
  await go(main.getByRole('link', { name: 'Extension', exact: true }).first());
  await go(main.getByRole('row', { name: /^Spanish/ }).getByRole('link').first());
  await go(main.getByRole('link', { name: 'Stale', exact: true }));
  await go(main.getByRole('link', { name: 'appDescription' }));
  assert.match(await main.innerText(), /The source has changed since this was translated/);
  assert.match(await main.innerText(), /New translation in Spanish/);
  await go(main.getByRole('link', { name: 'List' }));
  await main.getByRole('searchbox').fill('key:appName');
  await main.getByRole('combobox').selectOption('all');
  await go(main.getByRole('button', { name: 'Search' }));
  assert.match(await main.innerText(), /1 string\b/);
  await go(page.getByRole('link', { name: 'Changes' }).first());
  await main.getByLabel('Language').selectOption('cs');
  await go(main.getByRole('button', { name: 'Show' }));
  await go(page.getByRole('link', { name: 'Languages' }).first());
  assert.deepEqual(complaints, []);
  await context.close();
  return seen;
}

const others = ['/widgets/seedbook/', '/engage/seedbook/', '/engage/seedbook/ar/', '/languages/ar/', '/languages/ar/seedbook/'];
const odd = ['/translate/seedbook/app/ar/', '/projects/seedbook/app/ar/', '/stats/seedbook/ar/'];
const paths = [...new Set([...(await walk()), ...others, ...odd])];
const markup = new HtmlValidate({
  extends: ['html-validate:standard'],
  rules: { 'no-trailing-whitespace': 'off', 'doctype-style': 'off', 'long-title': 'off' },
});
for (const colorScheme of ['light', 'dark']) {
  for (const width of [380, 1200]) {
    const { context, page, complaints } = await open({ colorScheme, bypassCSP: true, viewport: { width, height: 800 } });
    for (const path of paths) {
      const where = `${path}, ${colorScheme}, ${width} wide`;
      const answer = await page.goto(base + path);
      assert.equal(answer.status(), 200, where);
      if (width === 380 && colorScheme === 'light') {
        const report = await markup.validateString(await answer.text());
        assert.deepEqual(report.results.flatMap((result) => result.messages), [], where);
      }
      const { scrollWidth, clientWidth } = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return { scrollWidth, clientWidth };
      });
      assert.ok(scrollWidth <= clientWidth, `${where}: wider than the screen`);
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => globalThis.axe.run(document));
      const said = violations.map(({ id, impact, nodes }) => `${id} (${impact}): ${nodes[0].html}`);
      assert.deepEqual(said, [], where);
    }
    assert.deepEqual(complaints, []);
    await context.close();
  }
}
await browser.close();
console.log(`a browser walks through ${paths.length} pages; axe and html-validate find nothing`);
