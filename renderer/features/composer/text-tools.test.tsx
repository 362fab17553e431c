import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { asCid } from '#shared/lib/brand.ts'
import { aChannel, aConfig, aSession, byCid, createFakeBridge } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { Composer } from './index.ts'

const cid = asCid('messaging:release')

afterEach(cleanup)

async function show(maxMessageLength = 5_000) {
  const channel = aChannel({ cid, config: aConfig({ maxMessageLength }) })
  const bridge = createFakeBridge({ rows: { channels: byCid([channel]), session: { self: aSession() } } })
  await renderInApp(<Composer cid={cid} />, bridge)
  const field = screen.getByRole<HTMLTextAreaElement>('textbox')
  field.focus()
  const paste = (data: Readonly<Record<string, string>>): boolean =>
    fireEvent.paste(field, {
      clipboardData: { types: Object.keys(data), files: [], getData: (type: string) => data[type] ?? '' },
    })
  return { bridge, field, paste }
}

const rich = { 'text/plain': 'bold words', 'text/html': '<b>bold</b> words' }
const code = 'const a = 1;\nif (a) {\n  go();\n}'

test('formatted words are pasted as Markdown', async () => {
  const { field, paste } = await show()
  expect(paste(rich)).toBe(false)
  await waitFor(() => expect(field.value).toBe('**bold** words'))
})

test('Ctrl+Shift+V leaves them to the browser, which pastes the plain words; the next paste is formatted again', async () => {
  const { field, paste } = await show()
  fireEvent.keyDown(field, { key: 'V', code: 'KeyV', ctrlKey: true, shiftKey: true })
  expect(paste(rich)).toBe(true)
  expect(paste(rich)).toBe(false)
  await waitFor(() => expect(field.value).toBe('**bold** words'))
})

test('pasted code stands in a fence of its own, below the words before it', async () => {
  const { field, paste } = await show()
  await userEvent.type(field, 'look:')
  paste({ 'text/plain': code })
  await waitFor(() => expect(field.value).toBe(`look:\n\`\`\`\n${code}\n\`\`\``))
})

test('the preview shows the words as they will be drawn, while they are written', async () => {
  const { field } = await show()
  fireEvent.keyDown(field, { key: 'P', code: 'KeyP', ctrlKey: true, shiftKey: true })
  const preview = screen.getByRole('region', { name: 'Preview' })
  expect(preview.textContent).toBe('Nothing to show yet.')
  await userEvent.type(field, '**loud**')
  expect((await within(preview).findByText('loud')).tagName).toBe('STRONG')
  await userEvent.click(screen.getByRole('button', { name: 'Preview' }))
  expect(screen.queryByRole('region', { name: 'Preview' })).toBeNull()
})

test('words over the limit are offered to go as a file', async () => {
  const { bridge, field } = await show(10)
  bridge.on('uploads.begin', ({ name }: { name: string }) => ({ id: 'u1', name, kind: 'file', state: 'pending' }))
  await userEvent.type(field, 'far too many words')
  await userEvent.click(screen.getByRole('button', { name: 'Attach as a file' }))
  await waitFor(() => expect(bridge.inputsOf('uploads.begin')).toMatchObject([{ name: 'message.txt', sizeBytes: 18 }]))
  expect(field.value).toBe('')
})

test('the room left is told from four fifths of the limit on', async () => {
  const { field } = await show(20)
  await userEvent.type(field, 'a'.repeat(15))
  expect(screen.queryByText('5 left')).toBeNull()
  await userEvent.type(field, 'a')
  expect(screen.getByText('4 left')).toBeTruthy()
})
