import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { aSession, createFakeBridge } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { Switcher } from './Switcher.tsx'
import { SwitcherWaiting } from './index.ts'

afterEach(cleanup)

test('what is typed before the switcher is there is typed into it, once', async () => {
  const bridge = createFakeBridge({ rows: { session: { self: aSession() } } })
  bridge.on('search.names', () => ({ people: [], channels: [] }))
  await renderInApp(<SwitcherWaiting />, bridge)
  expect(document.activeElement?.tagName).toBe('INPUT')
  await userEvent.keyboard('rel')
  cleanup()
  await renderInApp(<Switcher actions={[]} />, bridge)
  const field = screen.getByRole<HTMLInputElement>('combobox')
  await userEvent.type(field, 'ease')
  expect(field.value).toBe('release')
  cleanup()
  await renderInApp(<Switcher actions={[]} />, bridge)
  expect(screen.getByRole<HTMLInputElement>('combobox').value).toBe('')
})
