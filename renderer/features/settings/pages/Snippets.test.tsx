import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { createFakeBridge, someSettings } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { Snippets } from './Messages.tsx'

afterEach(cleanup)

async function show(...names: readonly string[]) {
  const snippets = ['sig', ...names].map((name) => ({ name, text: 'Kind regards' }))
  const bridge = createFakeBridge({ rows: { settings: { self: someSettings({ snippets }) } } })
  await renderInApp(<Snippets />, bridge)
  const stored = () => bridge.inputsOf('settings.update').at(-1)
  return {
    stored,
    name: screen.getByRole('textbox', { name: 'Name' }),
    text: screen.getByRole('textbox', { name: 'Text' }),
  }
}

test('a snippet is added under a unique name; errors are shown at their fields', async () => {
  const { stored, name, text } = await show()
  await userEvent.type(name, 'SIG')
  await userEvent.click(screen.getByRole('button', { name: 'Add' }))
  expect(screen.getByRole('alert').textContent).toBe('A snippet with this name already exists.')
  await userEvent.clear(name)
  await userEvent.type(name, 'bye')
  expect(screen.getByRole('alert').textContent).toBe('Type the text to insert.')
  await userEvent.type(text, 'See you')
  await userEvent.click(screen.getByRole('button', { name: 'Add' }))
  expect(stored()).toEqual({
    snippets: [
      { name: 'sig', text: 'Kind regards' },
      { name: 'bye', text: 'See you' },
    ],
  })
})

test('a snippet is changed and removed', async () => {
  const { stored } = await show()
  await userEvent.click(screen.getByRole('button', { name: 'Change ;;sig' }))
  await userEvent.type(screen.getByRole('textbox', { name: 'Text' }), ', Ola')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(stored()).toEqual({ snippets: [{ name: 'sig', text: 'Kind regards, Ola' }] })
  await userEvent.click(screen.getByRole('button', { name: 'Remove ;;sig' }))
  expect(stored()).toEqual({ snippets: [] })
})

test('snippets are listed by name, and 2 comes before 10', async () => {
  await show('note10', 'note2')
  expect(screen.getAllByRole('listitem').map((item) => item.querySelector('b')?.textContent)).toEqual([
    ';;note2',
    ';;note10',
    ';;sig',
  ])
})
