import { afterEach, expect, test, vi } from 'vitest'
import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createFakeBridge } from '../../../tests/kit/fake-bridge/index.ts'
import { renderInApp } from '../../../tests/kit/render-in-app.tsx'
import { dialogOpened } from '../../store/ui.ts'
import { OpenAsDialog } from './OpenAsDialog.tsx'

const URL_ONCE = 'http://127.0.0.1:4000/#code=once'

async function ask(answer: { url?: string }) {
  const bridge = createFakeBridge()
  bridge.on('session.localPeople', () => [{ id: 'priya', name: 'Priya Raman', title: 'Product lead' }])
  bridge.on('app.openWindowAs', () => answer)
  const { store } = await renderInApp(<OpenAsDialog />, bridge)
  store.dispatch(dialogOpened({ kind: 'open-as' }))
  await userEvent.click(await screen.findByRole('button', { name: /Priya Raman/ }))
  return { bridge, isOpen: () => store.getState().ui.dialog !== undefined }
}

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

test('a window that main shows itself needs nothing of the page', async () => {
  const open = vi.spyOn(window, 'open')
  const { bridge, isOpen } = await ask({})
  expect(bridge.inputsOf('app.openWindowAs')).toEqual([{ userId: 'priya' }])
  expect([open.mock.calls, isOpen()]).toEqual([[], false])
})

test('where main has no browser, the page opens the address, and the two windows do not know each other', async () => {
  const opened = { opener: window } as unknown as Window
  const open = vi.spyOn(window, 'open').mockReturnValue(opened)
  const { isOpen } = await ask({ url: URL_ONCE })
  expect(open.mock.calls[0]?.slice(0, 2)).toEqual([URL_ONCE, '_blank'])
  expect([opened.opener, isOpen()]).toEqual([null, false])
})

test('a window that the browser held back is opened by one more press', async () => {
  const open = vi.spyOn(window, 'open').mockReturnValueOnce(null)
  const { isOpen } = await ask({ url: URL_ONCE })
  expect(isOpen()).toBe(true)
  open.mockReturnValue({ opener: window } as unknown as Window)
  await userEvent.click(await screen.findByRole('button', { name: 'Open the window as Priya Raman' }))
  expect([open.mock.calls.length, isOpen()]).toEqual([2, false])
})
