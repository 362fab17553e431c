import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { addLittleEngine, cairnMaps, createFakeBridge } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { App } from '../../app/App.tsx'

/** The code of the view is on its way until it comes. */
const code = vi.hoisted(() => Promise.withResolvers<void>())
vi.mock(import('./SearchView.tsx'), async (original) => {
  await code.promise
  return original()
})

beforeEach(() => {
  window.innerWidth = 1440
})
afterEach(cleanup)

const field = () => screen.findByRole<HTMLInputElement>('combobox', { name: 'Search messages' })

test('what is typed while the code of the search loads is searched, and is not in the composer', async () => {
  const { registry } = await import('../../app/features.ts')
  const bridge = addLittleEngine(createFakeBridge(cairnMaps()))
  await renderInApp(<App />, bridge, 'en', registry)
  const composer = () => screen.queryByRole<HTMLTextAreaElement>('textbox', { name: /^Message / })
  await waitFor(() => expect(composer()).toBe(document.activeElement))
  await userEvent.keyboard('{Control>}f{/Control}banx{Backspace}')
  code.resolve()
  expect((await field()).value).toBe('ban')
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(composer()?.value).toBe(''))
})
