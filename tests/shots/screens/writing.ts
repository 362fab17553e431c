import type { Screen } from './index.ts'
import {
  act,
  attach,
  button,
  channel,
  cut,
  fill,
  item,
  lastButton,
  onMessage,
  press,
  radio,
  switched,
  inTurn,
  type,
  wait,
  write,
} from '../steps.ts'
import { NARROW } from './sizes.ts'

const long = (length: number): string =>
  'Zebrane uwagi z wczorajszego spotkania w jednym miejscu. '.repeat(Math.ceil(length / 57)).slice(0, length)
const paste = (text: string) => (page: Parameters<Screen['go']>[0]) =>
  page.locator('[data-composer]').first().fill(text)
const empty = (name: string, mimeType: string) => ({ name, mimeType, buffer: Buffer.alloc(0) })

/** The window has the location permission, and its location changes as often as it may be sent. */
const walking = (page: Parameters<Screen['go']>[0]) => page.context().grantPermissions(['geolocation'])
const walk = async (page: Parameters<Screen['go']>[0]): Promise<void> => {
  for (const [latitude, longitude] of WAY) {
    await page.context().setGeolocation({ latitude, longitude })
    await page.waitForTimeout(3_200)
  }
}
const WAY = [
  [49.272, 19.87],
  [49.2695, 19.8752],
  [49.2671, 19.8741],
  [49.2655, 19.8799],
] as const

/** The composer and its menus. */
export const writingScreens: readonly Screen[] = [
  { name: 'composer-text', go: write('**Bold** and `code` for you') },
  { name: 'composer-plus', go: inTurn(write('One more thing'), button('Add files and more'), wait(200)) },
  { name: 'composer-later', go: inTurn(write('One more thing'), button('Send options'), wait(200)) },
  { name: 'composer-format', go: inTurn(write('Let us keep **two lines**'), button('Formatting')) },
  {
    name: 'composer-preview',
    go: inTurn(write('Let us keep **two lines** and `measure`'), press('Control+Shift+P'), wait(300)),
  },
  {
    name: 'composer-long',
    go: inTurn(write(''), paste(Array.from({ length: 30 }, (_each, at) => `Line ${at}`).join('\n'))),
  },
  { name: 'composer-near-limit', go: inTurn(write(''), paste(long(4_900))) },
  { name: 'composer-over-limit', go: inTurn(write(''), paste(long(6_204))) },
  { name: 'composer-emoji', go: inTurn(write(''), press('Control+Shift+J'), wait(500)) },
  { name: 'composer-emoji-450', go: inTurn(write(''), press('Control+Shift+J'), wait(500)), size: NARROW },
  { name: 'composer-people', go: inTurn(write('Can you check it, @na'), wait(700)) },
  {
    name: 'notes-to-self',
    go: inTurn(press('Control+K'), wait(300), type('note to'), wait(300), press('Enter'), wait(1_000)),
  },
  { name: 'composer-channels', go: inTurn(write('See #rel'), wait(700)) },
  { name: 'composer-shortcodes', go: inTurn(write('Nice :mou'), wait(700)) },
  { name: 'composer-commands', go: inTurn(write('/'), wait(700)) },
  { name: 'composer-commands-m', go: inTurn(write('/m'), wait(700)) },
  { name: 'composer-command-bar', go: inTurn(write('/mute  '), wait(400)) },
  {
    name: 'composer-call',
    stage: 'joined',
    go: inTurn(channel('team:crowd'), write('@channel please look'), press('Enter'), wait(500)),
  },
  { name: 'composer-quote', go: inTurn(write(''), onMessage('q', 'First shots'), wait(300)) },
  { name: 'composer-edit', go: inTurn(write(''), onMessage('e', 'Lovely light'), wait(300)) },
  {
    name: 'composer-send-menu',
    go: inTurn(press('Escape'), write('Later then'), press('Control+Shift+Enter'), wait(300)),
  },
  {
    name: 'composer-schedule',
    go: inTurn(write('Later then'), press('Control+Shift+Enter'), item('Choose a time…'), wait(300)),
  },
  {
    name: 'calendar',
    go: inTurn(
      write('Later then'),
      press('Control+Shift+Enter'),
      item('Choose a time…'),
      wait(300),
      press('ArrowDown'),
    ),
  },
  {
    name: 'scheduled',
    go: inTurn(
      write('Good morning, everybody'),
      press('Control+Shift+Enter'),
      item(/^Send tomorrow/),
      wait(300),
      act('drafts'),
      wait(400),
      button(/^Scheduled/),
      wait(400),
    ),
  },
  {
    name: 'edit-photo',
    go: inTurn(write(''), attach('landscape-dawn.png'), wait(1_500), button(/^Edit the photo/), wait(800)),
  },
  {
    name: 'edit-photo-450',
    go: inTurn(write(''), attach('landscape-dawn.png'), wait(1_500), button(/^Edit the photo/), wait(800)),
    size: NARROW,
  },
  {
    name: 'uploads',
    go: inTurn(
      write('Everything from this morning'),
      attach('landscape-dawn.png', 'case-list.csv', 'screen-a.png'),
      wait(1_500),
    ),
  },
  {
    name: 'uploads-450',
    go: inTurn(write('Everything'), attach('landscape-dawn.png', 'case-list.csv'), wait(1_500)),
    size: NARROW,
  },
  {
    name: 'upload-describe',
    go: inTurn(write(''), attach('landscape-dawn.png'), wait(1_000), button(/^Name and describe/), wait(300)),
  },
  {
    name: 'uploads-full',
    go: inTurn(write('All'), attach(...Array.from({ length: 12 }, () => 'screen-a.png')), wait(2_500)),
  },
  {
    name: 'drop',
    go: (page) =>
      page.evaluate(() => {
        const data = new DataTransfer()
        for (const name of ['a.png', 'b.png', 'c.png']) data.items.add(new File(['x'], name, { type: 'image/png' }))
        document
          .querySelector('main')
          ?.dispatchEvent(new DragEvent('dragenter', { dataTransfer: data, bubbles: true, cancelable: true }))
      }),
  },
  { name: 'voice', go: inTurn(channel('team:random'), button('Record a voice message'), wait(2_200)) },
  {
    name: 'voice-recorded',
    go: inTurn(channel('team:random'), button('Record a voice message'), wait(2_200), press('Escape'), wait(400)),
  },
  {
    name: 'preview-question',
    go: inTurn(channel('team:random'), write('See https://fieldnotes.example/offline and so on '), wait(1_000)),
  },
  {
    name: 'preview-failed',
    go: inTurn(
      channel('team:random'),
      write('See https://fieldnotes.example/offline and so on '),
      wait(1_000),
      button('Show previews'),
      wait(2_000),
    ),
  },
  {
    name: 'preview-dismissed',
    go: inTurn(channel('team:random'), wait(2_000), button(/^Send without the preview/), wait(500)),
  },
  { name: 'poll', go: inTurn(act('newPoll'), wait(300)) },
  { name: 'poll-450', go: inTurn(act('newPoll'), wait(300)), size: NARROW },
  {
    name: 'poll-wrong',
    go: inTurn(
      act('newPoll'),
      wait(300),
      fill('Add an option', 'Dolina Kościeliska, Tatry'),
      fill('Add an option', 'Dolina Kościeliska, Tatry'),
      fill('Add an option', 'A'),
      switched('One vote per person'),
      fill('Question', 'Where?'),
      fill('Question', ''),
      press('Tab'),
      wait(400),
    ),
  },
  { name: 'place', go: inTurn(act('shareLocation'), wait(800)) },
  {
    name: 'place-chosen',
    go: inTurn(act('shareLocation'), wait(500), fill('Latitude', '49.2746, 19.8683'), radio('15 min'), wait(400)),
  },
  { name: 'place-450', go: inTurn(act('shareLocation'), wait(800)), size: NARROW },
  {
    name: 'place-live',
    go: inTurn(
      channel('team:random'),
      act('shareLocation'),
      wait(500),
      fill('Latitude', '49.2746, 19.8683'),
      radio('15 min'),
      lastButton('Share location'),
      wait(1_200),
    ),
  },
  {
    name: 'place-track',
    go: inTurn(
      walking,
      channel('team:random'),
      act('shareLocation'),
      wait(500),
      fill('Latitude', '49.2746, 19.8683'),
      radio('1 hour'),
      lastButton('Share location'),
      wait(1_200),
      lastButton('Open map'),
      wait(400),
      switched('Show the trail'),
      walk,
    ),
  },
  { name: 'place-map', go: inTurn(channel('team:random'), lastButton('Open map'), wait(800)) },
  { name: 'place-ended', go: inTurn(channel('team:random'), press('Control+Shift+G'), wait(800)) },
  { name: 'poll-register', go: act('pollRegister') },
  { name: 'poll-register-open', go: inTurn(act('pollRegister'), wait(300), radio('Open'), wait(300)) },
  {
    name: 'poll-register-closed',
    stage: 'joined',
    go: inTurn(act('pollRegister'), wait(300), radio('Closed'), wait(300)),
  },
  { name: 'poll-results', go: inTurn(channel('team:field-trips'), lastButton('View results'), wait(400)) },
  {
    name: 'poll-results-who',
    go: inTurn(
      channel('team:field-trips'),
      lastButton('View results'),
      wait(300),
      (page) => page.getByRole('dialog').getByRole('button').nth(1).click(),
      wait(500),
    ),
  },
  {
    name: 'poll-suggest',
    stage: 'joined',
    go: inTurn(channel('team:every-kind'), lastButton('Suggest an option'), wait(300)),
  },
  {
    name: 'poll-comment',
    stage: 'joined',
    go: inTurn(channel('team:every-kind'), lastButton('Add a comment'), wait(300)),
  },
  { name: 'poll-closes', go: inTurn(act('newPoll'), wait(300), switched('Close automatically'), wait(300)) },
  {
    name: 'poll-edit',
    stage: 'joined',
    go: inTurn(
      channel('team:every-kind'),
      button('Poll options'),
      item('Edit poll'),
      wait(400),
      fill('Question', 'Which layers ship?'),
      (page) => page.getByRole('combobox').last().selectOption('leaves'),
      wait(300),
    ),
  },
  {
    name: 'poll-waits',
    stage: 'wired',
    scene: 'poll',
    go: inTurn(
      channel('team:random'),
      cut,
      act('newPoll'),
      wait(300),
      fill('Question', 'Soup or cake?'),
      fill('Add an option', 'Soup'),
      fill('Add an option', 'Cake'),
      lastButton('Create poll'),
      wait(1_500),
    ),
  },
  { name: 'poll-close', stage: 'joined', go: inTurn(channel('team:every-kind'), lastButton('Close poll'), wait(300)) },
  {
    name: 'poll-comments',
    stage: 'joined',
    go: inTurn(
      channel('team:every-kind'),
      lastButton('Add a comment'),
      type('Something warm'),
      press('Enter'),
      wait(800),
    ),
  },
  {
    name: 'uploads-waiting',
    stage: 'wired',
    scene: 'cut',
    go: inTurn(cut, write('Everything'), attach('landscape-dawn.png', 'case-list.csv'), wait(1_000)),
  },
  {
    name: 'uploads-refused',
    stage: 'wired',
    scene: 'cut',
    go: inTurn(
      write('Everything'),
      attach(
        'landscape-dawn.png',
        empty('installer.exe', 'application/x-msdownload'),
        empty('GPS-log-Turbacz.gpx', 'application/gpx+xml'),
      ),
      wait(2_500),
    ),
  },
]
