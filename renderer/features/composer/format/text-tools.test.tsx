import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { asMessageId } from '#shared/lib/brand.ts'
import { aPlaceToWrite, field as textField, RELEASE, sentBy, showComposer, write } from '#kit/a-composer.tsx'
import { aMessage, byId } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { editBegun } from '../../../store/composers/composers.ts'
import { Composer } from '../Composer.tsx'

afterEach(cleanup)

async function show(maxLength = 5_000) {
  const old = aMessage({ id: 'm1', cid: RELEASE, text: 'old words' })
  const bridge = aPlaceToWrite({ maxLength, rows: { messages: byId([old]) } })
  const { store } = await showComposer(bridge)
  const field = textField()
  field.focus()
  const paste = (data: Readonly<Record<string, string>>): boolean =>
    fireEvent.paste(field, {
      clipboardData: { types: Object.keys(data), files: [], getData: (type: string) => data[type] ?? '' },
    })
  return { bridge, store, field, paste }
}
const marked = () => [...document.querySelectorAll('mark')].map(({ textContent }) => textContent)

const rich = { 'text/plain': 'bold words', 'text/html': '<b>bold</b> words' }
const code = 'const a = 1;\nif (a) {\n  go();\n}'

test('formatted text is pasted as Markdown', async () => {
  const { field, paste } = await show()
  expect(paste(rich)).toBe(false)
  await waitFor(() => expect(field.value).toBe('**bold** words'))
})

test('Ctrl+Shift+V leaves plain text to the browser; the next paste is formatted again', async () => {
  const { field, paste } = await show()
  fireEvent.keyDown(field, { key: 'V', code: 'KeyV', ctrlKey: true, shiftKey: true })
  expect(paste(rich)).toBe(true)
  expect(paste(rich)).toBe(false)
  await waitFor(() => expect(field.value).toBe('**bold** words'))
})

test('pasted code gets a code fence below the text before it', async () => {
  const { field, paste } = await show()
  await userEvent.type(field, 'look:')
  paste({ 'text/plain': code })
  await waitFor(() => expect(field.value).toBe(`look:\n\`\`\`\n${code}\n\`\`\``))
})

test('the preview shows the rendered text while it is typed', async () => {
  const { field } = await show()
  fireEvent.keyDown(field, { key: 'P', code: 'KeyP', ctrlKey: true, shiftKey: true })
  const preview = screen.getByRole('region', { name: 'Preview' })
  expect(preview.textContent).toBe('Nothing to show yet.')
  await userEvent.type(field, '**loud**')
  expect((await within(preview).findByText('loud')).tagName).toBe('STRONG')
  await userEvent.click(screen.getByRole('button', { name: 'Add files and more' }))
  await userEvent.click(screen.getByRole('menuitemcheckbox', { name: /^Preview/ }))
  expect(screen.queryByRole('region', { name: 'Preview' })).toBeNull()
})

test('keys open the tools of the composer they are pressed in, and of no other', async () => {
  const bridge = aPlaceToWrite()
  const both = [
    <Composer key="channel" cid={RELEASE} />,
    <Composer key="thread" cid={RELEASE} parentId={asMessageId('p1')} />,
  ]
  await renderInApp(both, bridge)
  bridge.change({}, Object.values(bridge.world.windows))
  const reply = await screen.findByRole('textbox', { name: 'Reply…' })
  const [inChannel, inThread] = screen
    .getAllByRole('region', { name: /^(Write a message|Reply in thread)$/ })
    .map((region) => ({
      region,
      choose: vi.spyOn(region.querySelector<HTMLElement>('[data-file-field]') ?? region, 'click'),
    }))
  fireEvent.keyDown(reply, { key: 'e', code: 'KeyE', ctrlKey: true })
  const isOpen = (region: HTMLElement | undefined) =>
    within(region ?? document.body)
      .getByRole('button', { name: 'Emoji', hidden: true })
      .getAttribute('aria-expanded')
  await waitFor(() => expect(isOpen(inThread?.region)).toBe('true'))
  expect(isOpen(inChannel?.region)).toBe('false')
  fireEvent.keyDown(reply, { key: 'u', code: 'KeyU', ctrlKey: true })
  expect(inThread?.choose).toHaveBeenCalledOnce()
  expect(inChannel?.choose).not.toHaveBeenCalled()
})

test('text over the limit can be attached as a file', async () => {
  const { bridge, field } = await show(10)
  write('far too many words')
  await userEvent.click(screen.getByRole('button', { name: 'Attach as a file' }))
  await waitFor(() => expect(bridge.inputsOf('uploads.begin')).toMatchObject([{ name: 'message.txt', sizeBytes: 18 }]))
  expect(field.value).toBe('')
})

test('or sent as several messages, which can be undone; until then the part over the limit is marked', async () => {
  const { bridge, field } = await show(10)
  write('far too many words')
  expect(marked()).toEqual(['ny words'])
  await userEvent.click(screen.getByRole('button', { name: 'Send as 2 messages' }))
  const whole = { text: 'far too many words', split: true, undoForMs: 5_000 }
  expect(sentBy(bridge)).toMatchObject([whole])
  expect(field.value).toBe('')
})

test('splitting into too many messages is not offered', async () => {
  await show(10)
  write('too many '.repeat(30))
  expect(screen.queryByRole('button', { name: /^Send as/ })).toBeNull()
  expect(screen.getByRole('button', { name: 'Attach as a file' })).toBeTruthy()
})

test('an edit that is too long can only be trimmed', async () => {
  const { store, field } = await show(10)
  act(() => void store.dispatch(editBegun({ key: RELEASE, messageId: asMessageId('m1'), text: 'old words' })))
  write('far too many words')
  expect(screen.queryByRole('button', { name: /^Send as|as a file$/ })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Trim to the limit' }))
  expect(field.value).toBe('far too ma')
  expect(marked()).toEqual([])
})

test('a mention is marked, and is deleted as a whole from either side', async () => {
  const { field } = await show()
  write('ask @Hana Mori now')
  expect(marked()).toEqual(['@Hana Mori'])
  field.setSelectionRange(14, 14)
  await userEvent.keyboard('{Backspace}')
  expect(field.value).toBe('ask  now')
  expect(marked()).toEqual([])
  write('ask @Hana Mori now')
  field.setSelectionRange(4, 4)
  await userEvent.keyboard('{Delete}')
  expect(field.value).toBe('ask  now')
})

test('the remaining characters are shown from 80% of the limit on', async () => {
  const { field } = await show(20)
  await userEvent.type(field, 'a'.repeat(15))
  expect(screen.queryByText('5 left')).toBeNull()
  await userEvent.type(field, 'a')
  expect(screen.getByText('4 left')).toBeTruthy()
})
