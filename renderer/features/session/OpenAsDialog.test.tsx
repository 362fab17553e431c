import { afterEach, describe, expect, test, vi } from 'vitest'
import { AppError } from '#shared/lib/app-error.ts'
import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createFakeBridge } from '../../../tests/kit/fake-bridge/index.ts'
import { renderInApp } from '../../../tests/kit/render-in-app.tsx'
import { onAnnouncement } from '../../lib/page/announce.ts'
import { dialogOpened } from '../../store/window/ui.ts'
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

test('people are listed by name', async () => {
  const bridge = createFakeBridge()
  bridge.on('session.localPeople', () => ['Zoë', 'Łucja', 'Ada'].map((name) => ({ id: name, name })))
  const { store } = await renderInApp(<OpenAsDialog />, bridge)
  store.dispatch(dialogOpened({ kind: 'open-as' }))
  const names = await screen.findAllByText(/^(Zoë|Łucja|Ada)$/)
  expect(names.map(({ textContent }) => textContent)).toEqual(['Ada', 'Łucja', 'Zoë'])
})

test('a window opened by main needs nothing from the page', async () => {
  const open = vi.spyOn(window, 'open')
  const { bridge, isOpen } = await ask({})
  expect(bridge.inputsOf('app.openWindowAs')).toEqual([{ userId: 'priya' }])
  expect(open.mock.calls).toEqual([])
  expect(isOpen()).toBe(false)
})

test('if main cannot open a window, the page opens the URL without an opener', async () => {
  const opened = { opener: window } as unknown as Window
  const open = vi.spyOn(window, 'open').mockReturnValue(opened)
  const { isOpen } = await ask({ url: URL_ONCE })
  expect(open.mock.calls[0]?.slice(0, 2)).toEqual([URL_ONCE, '_blank'])
  expect(opened.opener).toBeNull()
  expect(isOpen()).toBe(false)
})

test('a window blocked by the browser is opened by another click', async () => {
  const open = vi.spyOn(window, 'open').mockReturnValueOnce(null)
  const { isOpen } = await ask({ url: URL_ONCE })
  expect(isOpen()).toBe(true)
  open.mockReturnValue({ opener: window } as unknown as Window)
  await userEvent.click(await screen.findByRole('button', { name: 'Open the window as Priya Raman' }))
  expect(open.mock.calls.length).toBe(2)
  expect(isOpen()).toBe(false)
})

describe('adding a person', () => {
  async function alone(adding = false) {
    const bridge = createFakeBridge()
    bridge.on('session.localPeople', () => [])
    bridge.on('session.addPerson', ({ name }: { name: string }) => ({ id: 'eva-1234', name }))
    bridge.on('app.openWindowAs', () => ({}))
    await renderInApp(<OpenAsDialog adding={adding} />, bridge)
    return { bridge, field: await screen.findByRole('textbox', { name: 'Add a person' }) }
  }

  test('works by keyboard: the person is in the list, is announced, and can be opened at once', async () => {
    const announced: string[] = []
    const stop = onAnnouncement(({ text }) => announced.push(text))
    const { bridge, field } = await alone()
    await waitFor(() => expect(document.activeElement).toBe(field))
    await userEvent.keyboard(' Eva Novák {Enter}')
    const person = await screen.findByRole('button', { name: 'Eva Novák' })
    expect(bridge.inputsOf('session.addPerson')).toEqual([{ name: 'Eva Novák' }])
    expect(announced).toEqual(['Eva Novák added to the workspace.'])
    expect(document.activeElement).toEqual(field)
    expect(field).toEqual(expect.objectContaining({ value: '' }))
    await userEvent.click(person)
    expect(bridge.inputsOf('app.openWindowAs')).toEqual([{ userId: 'eva-1234' }])
    stop()
  })

  test('without a name shows an error and adds no one', async () => {
    const { bridge, field } = await alone()
    await userEvent.click(screen.getByRole('button', { name: 'Add' }))
    expect((await screen.findByRole('alert')).textContent).toBe('Type a name')
    expect(field.getAttribute('aria-invalid')).toBe('true')
    expect(bridge.inputsOf('session.addPerson')).toEqual([])
  })

  test('that fails shows the error at the field and preserves the name', async () => {
    const { bridge, field } = await alone(true)
    bridge.on('session.addPerson', () => {
      throw new AppError('network/offline')
    })
    await userEvent.type(field, 'Eva{Enter}')
    expect((await screen.findByRole('alert')).textContent).toBe('You’re offline. Try again when you’re back online.')
    expect(field).toEqual(expect.objectContaining({ value: 'Eva' }))
    expect(screen.queryByRole('button', { name: 'Eva' })).toBeNull()
  })

  test('does not have the initial focus if there are other people', async () => {
    const bridge = createFakeBridge()
    bridge.on('session.localPeople', () => [{ id: 'priya', name: 'Priya Raman' }])
    await renderInApp(<OpenAsDialog />, bridge)
    const person = await screen.findByRole('button', { name: 'Priya Raman' })
    await waitFor(() => expect(document.activeElement).toBe(person))
  })
})
