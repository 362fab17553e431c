import type { Page } from 'playwright'
import { largeSlack, MATTERMOST, SLACK, zipped, type Files } from '../../contract/imports/samples.ts'
import type { Screen } from './index.ts'
import { act, button, inTurn, link, press, radio, wait, type Step } from '../steps.ts'
import { NARROW } from './sizes.ts'

/** Puts away what the screen before has left. */
const cleared: Step = async (page) => {
  const found = page.locator('main').getByRole('button', { name: /^(?:Back|Choose another|Close|Import another)$/ })
  if (await found.first().isVisible()) await found.first().click()
}
const imports: Step = inTurn(act('manage'), wait(600), link('Import'), wait(900), cleared, wait(400))
const backInNarrow: Step = (page) =>
  page.locator('main').getByRole('button', { name: 'Back', exact: true }).first().click()
const narrow: Step = inTurn(act('manage'), wait(900), backInNarrow, wait(400), link('Import'), wait(900))

const choose =
  (name: string, files: Files): Step =>
  (page: Page) =>
    page
      .locator('[data-choose="file"]')
      .setInputFiles({ name, mimeType: 'application/zip', buffer: Buffer.from(zipped(files)) })

const check = (files: Files): Step => inTurn(imports, choose('cairn-slack-2026-11-20.zip', files), wait(1_500))
const large = largeSlack(3_000)
const start: Step = inTurn(button(/^Import [\d,]+ messages?$/), wait(400))
/** Enough that there is time to press Pause. */
const paused: Step = inTurn(
  imports,
  choose('cairn-slack-2026-11-20.zip', largeSlack(40_000)),
  wait(4_000),
  button(/^Import [\d,]+ messages?$/),
  wait(700),
  button('Pause'),
  wait(600),
)

/** Import of history: every step, and what may go wrong. */
export const importScreens: readonly Screen[] = [
  { name: 'imports-file', go: imports },
  { name: 'imports-file-450', go: narrow, size: NARROW },
  { name: 'imports-telegram', go: inTurn(imports, radio('Telegram Chat export as JSON, a folder'), wait(200)) },
  {
    name: 'imports-refused',
    go: inTurn(imports, radio('Slack Workspace export, a ZIP file'), choose('photos.zip', MATTERMOST), wait(1_200)),
  },
  { name: 'imports-check', go: check(large) },
  { name: 'imports-check-450', go: narrow, size: NARROW },
  { name: 'imports-small', go: check(SLACK) },
  { name: 'imports-report', go: inTurn(check(large), start, wait(3_500)) },
  { name: 'imports-report-450', go: narrow, size: NARROW },
  {
    name: 'imports-undo',
    go: inTurn(act('manage'), wait(600), link('Import'), wait(900), button('Undo import…'), wait(300)),
  },
  { name: 'imports-same', go: inTurn(press('Escape'), check(large)) },
  { name: 'imports-paused', go: paused },
  { name: 'imports-paused-450', go: narrow, size: NARROW },
  { name: 'imports-stop', go: inTurn(act('manage'), wait(600), link('Import'), wait(900), button('Stop…'), wait(300)) },
  { name: 'imports-running', go: inTurn(press('Escape'), imports, button('Continue'), wait(200)) },
]
