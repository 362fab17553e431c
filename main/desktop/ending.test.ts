import { expect, test } from 'vitest'
import type { EndingWork, SystemQuestion } from '#main/hosts/host.ts'
import { Ending, NOTHING_SENDING, sumOfSending, type Sending } from './ending.ts'

/** Parlor before it quits, with a user who clicks the button `pressed`. */
function anEnding(sending: Sending, pressed: number) {
  const seen = { asked: [] as SystemQuestion[], hidden: 0, begun: 0 }
  const facts = { running: sending, left: sending, pressed }
  let work: EndingWork | undefined
  const ending = new Ending({
    ending: {
      set: (given) => void (work = given),
      begin: () => ((seen.begun += 1), Promise.resolve(true)),
      ask: (question) => (seen.asked.push(question), Promise.resolve(facts.pressed)),
      hideWindows: () => void (seen.hidden += 1),
    },
    translate: (_area, key, params) => [key, ...Object.values(params ?? {})].join(' '),
    running: () => facts.running,
    left: () => facts.left,
    closing: () => {},
    stop: () => Promise.resolve(),
  })
  return { ending, seen, facts, asks: () => work?.mustAsk(), ends: () => work?.ask() }
}

const TWO_FILES: Sending = { files: 2, share: 0.5, texts: 3 }
const [QUIT, WAIT, CANCEL] = [0, 1, 2]

test('queued messages alone need no confirmation: they are stored, and sent after the next start', () => {
  expect(anEnding({ ...NOTHING_SENDING, texts: 3 }, CANCEL).asks()).toBe(false)
  expect(anEnding(TWO_FILES, CANCEL).asks()).toBe(true)
})

test('uploads are named, with what is queued behind them; Escape changes nothing', async () => {
  const { seen, ends } = anEnding(TWO_FILES, CANCEL)
  expect(await ends()).toBe(false)
  expect(seen.asked).toEqual([
    {
      message: 'leave.title 2',
      detail: 'leave.messages 3\nleave.text',
      buttons: ['leave.quit', 'leave.wait', 'leave.cancel'],
      cancel: CANCEL,
    },
  ])
})

test('quitting anyway quits', async () => {
  expect(await anEnding(TWO_FILES, QUIT).ends()).toBe(true)
})

test('waiting hides the windows and quits once everything is sent, and not before', async () => {
  const { ending, seen, facts, ends } = anEnding(TWO_FILES, WAIT)
  expect(await ends()).toBe(false)
  expect(seen.hidden).toBe(1)
  facts.left = { files: 0, share: 0, texts: 1 }
  ending.touched()
  expect(seen.begun).toBe(0)
  facts.left = NOTHING_SENDING
  ending.touched()
  ending.touched()
  expect(seen.begun).toBe(1)
})

test('a disconnect while waiting does not quit: the rest is still pending', async () => {
  const { ending, seen, facts, ends } = anEnding(TWO_FILES, WAIT)
  await ends()
  facts.running = NOTHING_SENDING
  ending.touched()
  expect(seen.begun).toBe(0)
})

test('a user who cancels stays', async () => {
  const { ending, seen, facts, ends } = anEnding(TWO_FILES, WAIT)
  await ends()
  facts.pressed = CANCEL
  await ends()
  facts.left = NOTHING_SENDING
  ending.touched()
  expect(seen.begun).toBe(0)
})

test('progress of several accounts is weighted by bytes, not by files', () => {
  const one = { files: 1, bytes: 900, share: 1, texts: 0 }
  const other = { files: 3, bytes: 100, share: 0, texts: 2 }
  expect(sumOfSending([one, other])).toEqual({ files: 4, share: 0.9, texts: 2 })
  expect(sumOfSending([])).toEqual(NOTHING_SENDING)
})
