import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { createFakeBridge, type FakeBridge } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import type { FoundWorkspace, JoinState } from '#shared/domain/sharing.ts'
import type { AppLanguage } from '#shared/domain/settings.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { JoinForm } from './JoinForm.tsx'

afterEach(cleanup)

const OFFER = { workspace: 'Studio', owner: 'Ann', role: 'user', approve: true, known: false } as const
const PENDING = { workspace: 'Studio', owner: 'Ann', name: 'Marek', since: 0 }
const STUDIO: FoundWorkspace = { id: 'f1', name: 'Studio', owner: 'Ann', address: '192.168.1.24', known: false }

async function show(prepare: (bridge: FakeBridge) => void = () => undefined, language: AppLanguage = 'en') {
  const bridge = createFakeBridge()
  bridge.on('sharing.pending', () => undefined)
  bridge.on('sharing.look', () => OFFER)
  bridge.on('sharing.join', () => 'waiting' as const)
  bridge.on('sharing.answer', () => 'waiting' as const)
  bridge.on('sharing.nearby', () => ({ found: [], isCut: false, isFailed: false }))
  prepare(bridge)
  const onBack = vi.fn<() => void>()
  await renderInApp(<JoinForm name="Marek" onBack={onBack} />, bridge, language)
  return { bridge, onBack }
}

const button = (name: string | RegExp): HTMLElement => screen.getByRole('button', { name })

async function enter(text = 'parlor://join/x'): Promise<void> {
  await userEvent.type(screen.getByLabelText('Link or code'), text)
  await userEvent.click(button('Continue'))
}

test('an invitation leads to what it is, then to the own name, then to the owner’s answer', async () => {
  const { bridge } = await show()
  await enter(' parlor://join/x ')
  expect(await screen.findByRole('heading', { name: 'Join Studio' })).toBeDefined()
  expect(bridge.inputsOf('sharing.look')).toEqual([{ text: 'parlor://join/x' }])
  await userEvent.click(button('Join'))
  expect(await screen.findByRole('heading', { name: 'Waiting for Ann' })).toBeDefined()
  expect(bridge.inputsOf('sharing.join')).toEqual([{ name: 'Marek' }])
  expect(bridge.inputsOf('sharing.answer').length).toBeGreaterThan(0)
})

test('nothing is asked without an invitation or without a name', async () => {
  const { bridge } = await show()
  await userEvent.click(button('Continue'))
  expect(screen.getByRole('alert').textContent).toBe('Paste the link or type the code.')
  await enter()
  await userEvent.clear(await screen.findByLabelText('Your name'))
  await userEvent.click(button('Join'))
  expect(screen.getByRole('alert').textContent).toBe('Enter your name.')
  expect(bridge.inputsOf('sharing.join')).toEqual([])
})

test.each([
  ['join/unknown', /isn’t an invitation/],
  ['join/mistyped', /This code isn’t valid/],
  ['join/link-local', /on no network/],
  ['join/unreachable', /Couldn’t reach the device.*same Wi-Fi/],
  ['join/wrong', /doesn’t know this invitation/],
  ['join/ended', /has ended/],
  ['join/used', /is used up/],
  ['join/clock', /date is wrong/],
  ['join/certificate', /Another device answered.*Nothing was sent/],
  ['join/newer', /newer Parlor/],
  ['join/older', /older Parlor/],
  ['join/busy', /Too many attempts/],
  ['policy/server', /administrator/],
])('what went wrong is said where the invitation is entered: %s', async (code, text) => {
  await show((bridge) => bridge.on('sharing.look', () => Promise.reject(new AppError(code))))
  await enter()

  expect((await screen.findByRole('alert')).textContent).toMatch(text)
  expect(screen.getByLabelText<HTMLInputElement>('Link or code').value).toBe('parlor://join/x')
})

test.each([
  ['en', /The disk is full.*free up space/],
  ['pl', /Dysk jest pełny.*zwolnij miejsce/],
  ['ru', /Диск заполнен.*освободите место/],
] as const)('a full disk is said where somebody joins, and what was typed stays: %s', async (language, said) => {
  const prepare = (bridge: FakeBridge): void =>
    bridge.on('sharing.join', () => Promise.reject(new AppError('disk/full')))
  await show(prepare, language)
  await userEvent.type(screen.getByRole('textbox'), 'parlor://join/x{Enter}')
  const name = await screen.findByDisplayValue('Marek')
  await userEvent.type(name, '{Enter}')

  expect((await screen.findByRole('alert')).textContent.replaceAll('\u00a0', ' ')).toMatch(said)
  expect(screen.getByDisplayValue('Marek')).toBeDefined()
})

test('a name that somebody has is refused at its field', async () => {
  await show((bridge) => bridge.on('sharing.join', () => Promise.reject(new AppError('join/name'))))
  await enter()
  await userEvent.click(await screen.findByRole('button', { name: 'Join' }))

  expect((await screen.findByRole('alert')).textContent).toMatch(/already has this name/)
})

test('an invitation that has ended meanwhile is said beside the name, which is not wrong', async () => {
  await show((bridge) => bridge.on('sharing.join', () => Promise.reject(new AppError('join/ended'))))
  await enter()
  await userEvent.click(await screen.findByRole('button', { name: 'Join' }))

  expect((await screen.findByRole('alert')).textContent).toMatch(/has ended/)
  expect(screen.getByLabelText('Your name').getAttribute('aria-invalid')).not.toBe('true')
})

test('who is refused at once sees that, and can use another invitation', async () => {
  await show((bridge) => bridge.on('sharing.join', () => 'refused' as const))
  await enter()
  await userEvent.click(await screen.findByRole('button', { name: 'Join' }))
  expect(await screen.findByRole('heading', { name: 'You weren’t let in' })).toBeDefined()
  await userEvent.click(button('Use another invitation'))

  expect(screen.getByLabelText('Link or code')).toBeDefined()
})

test.each([
  ['refused', 'You weren’t let in'],
  ['gone', 'This request has ended'],
] satisfies [JoinState, string][])(
  'a request of an earlier run that is %s is over, and another invitation can be used',
  async (state, title) => {
    await show((bridge) => {
      bridge.on('sharing.pending', () => PENDING)
      bridge.on('sharing.answer', () => state)
    })
    expect(await screen.findByRole('heading', { name: title })).toBeDefined()
    await userEvent.click(button('Use another invitation'))

    expect(screen.getByLabelText('Link or code')).toBeDefined()
  },
)

test('a request is withdrawn, and one whose device is out of reach says so while it goes on asking', async () => {
  const { bridge } = await show((each) => {
    each.on('sharing.pending', () => PENDING)
    each.on('sharing.answer', () => Promise.reject(new AppError('join/unreachable')))
    each.on('sharing.cancel', () => undefined)
  })
  expect(await screen.findByText(/Couldn’t reach the device/)).toBeDefined()
  await userEvent.click(button('Cancel request'))

  await waitFor(() => expect(screen.getByLabelText('Link or code')).toBeDefined())
  expect(bridge.inputsOf('sharing.cancel').length).toBe(1)
})

test('nobody looks around on the network before they want to', async () => {
  const { bridge } = await show()
  const before = bridge.inputsOf('sharing.nearby').length
  await userEvent.click(button('Look on this network'))

  expect(before).toBe(0)
  expect(await screen.findByText('Looking for workspaces…')).toBeDefined()
})

test('what is found shows whom to ask, and opens only what was joined before', async () => {
  const known = { ...STUDIO, id: 'f2', name: 'Garden', known: true }
  const { bridge } = await show((each) => {
    each.on('sharing.nearby', () => ({ found: [STUDIO, known], isCut: true, isFailed: false }))
    each.on('sharing.reopen', () => undefined)
  })
  await userEvent.click(button('Look on this network'))
  const list = await screen.findByRole('list')
  const items = within(list).getAllByRole('listitem')

  expect(items.map(({ textContent }) => textContent)).toEqual([
    'GardenShared by Ann, 192.168.1.24Open',
    'StudioShared by Ann, 192.168.1.24',
  ])
  expect(screen.getByText(/Anyone on the network can choose these names/)).toBeDefined()
  expect(screen.getByText('There are too many to show all of them.')).toBeDefined()
  await userEvent.click(button('Open Garden'))
  expect(bridge.inputsOf('sharing.reopen')).toEqual([{ id: 'f2' }])
})

test('a found workspace whose device is another one now stays closed, and why is said', async () => {
  await show((each) => {
    each.on('sharing.nearby', () => ({ found: [{ ...STUDIO, known: true }], isCut: false, isFailed: false }))
    each.on('sharing.reopen', () => Promise.reject(new AppError('join/certificate')))
  })
  await userEvent.click(button('Look on this network'))
  await userEvent.click(await screen.findByRole('button', { name: 'Open Studio' }))

  expect((await screen.findByRole('alert')).textContent).toMatch(/Another device answered/)
})

test('what does not let anyone look is said, and the invitation still works', async () => {
  await show((each) => each.on('sharing.nearby', () => ({ found: [], isCut: false, isFailed: true })))
  await userEvent.click(button('Look on this network'))
  expect(await screen.findByText(/Couldn’t look on this network/)).toBeDefined()
  await enter()

  expect(await screen.findByRole('heading', { name: 'Join Studio' })).toBeDefined()
})
