import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { NotificationChoices, NotifyProof, NotifyRecord } from '#shared/domain/notification.ts'
import { DEFAULT_NOTIFICATIONS, DEFAULT_SOUNDS } from '#shared/domain/settings.ts'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import { aConnection, aSession, createFakeBridge, someSettings } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { Notifications } from './Notifications.tsx'

afterEach(cleanup)

type Given = {
  readonly choices?: Partial<NotificationChoices>
  readonly proof?: NotifyProof
  readonly records?: readonly NotifyRecord[]
}

async function show({ choices, proof, records }: Given = {}) {
  const chosen: Partial<NotificationChoices>[] = []
  const notifications = { ...DEFAULT_NOTIFICATIONS, ...choices }
  const bridge = createFakeBridge({
    rows: {
      session: { self: aSession() },
      settings: { self: someSettings({ notifications }) },
      connection: { self: aConnection() },
    },
    windows: [],
  })
  bridge.on('settings.update', (input) => {
    chosen.push((input as { notifications: NotificationChoices }).notifications)
  })
  bridge.on('notifications.prove', () => proof)
  bridge.on('notifications.history', () => records)
  await renderInApp(<Notifications />, bridge)
  return { bridge, chosen, user: userEvent.setup() }
}

test('level, preview and badge take effect at once', async () => {
  const { chosen, user } = await show()
  await user.click(screen.getByRole('radio', { name: 'None' }))
  await user.selectOptions(screen.getByRole('combobox', { name: 'Notifications show' }), 'Sender only')
  await user.click(screen.getByRole('radio', { name: 'All unread' }))
  await user.click(screen.getByRole('switch', { name: 'While I share my screen' }))
  for (const choice of [{ level: 'none' }, { preview: 'sender' }, { badge: 'all' }, { presenting: true }]) {
    expect(chosen).toContainEqual(expect.objectContaining(choice))
  }
})

test('keywords are split at commas and saved without duplicates', async () => {
  const { chosen, user } = await show({ choices: { keywords: ['ola'] } })
  await user.click(screen.getByRole('button', { name: 'Edit keywords' }))
  await user.type(screen.getByRole('textbox', { name: 'Keywords' }), ', banner,, ola')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(chosen).toMatchObject([{ keywords: ['ola', 'banner'] }])
})

test('the number of matching messages is shown while keywords are typed', async () => {
  const { bridge, user } = await show({ choices: { keywords: ['ola'] } })
  bridge.on('search.keywords', () => ({ matched: 3, of: 50 }))
  await user.click(screen.getByRole('button', { name: 'Edit keywords' }))
  await user.type(screen.getByRole('textbox', { name: 'Keywords' }), ', banner')
  await screen.findByText('3 of the last 50 messages from others contain one of them.')
  expect(bridge.inputsOf('search.keywords').at(-1)).toEqual({ keywords: ['ola', 'banner'] })
})

test('a keyword that is too long is refused at its field, and stays there', async () => {
  const { chosen, user } = await show()
  await user.click(screen.getByRole('button', { name: 'Edit keywords' }))
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Keywords' })
  await user.click(field)
  await user.paste('x'.repeat(101))
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(screen.getByRole('alert').textContent).toContain('up to 100 characters')
  expect(field.value).toHaveLength(101)
  expect(chosen).toEqual([])
})

/** An audio element that only reports its duration. */
class ToyAudio {
  static seconds: number | undefined = 2
  readonly destination = {}
  readonly currentTime = 0
  readonly state = 'running'
  decodeAudioData = (): Promise<{ duration: number }> =>
    ToyAudio.seconds === undefined ? Promise.reject(new Error('no')) : Promise.resolve({ duration: ToyAudio.seconds })
  createGain = () => ({ gain: { value: 0 }, connect: (to: unknown) => to })
  createBufferSource = () => ({ buffer: null, connect: (to: unknown) => to, start: () => played.push('file') })
}
const played: string[] = []

test('an own sound file is checked, saved and played once; a file that is too large, too long or not audio is refused', async () => {
  vi.stubGlobal('AudioContext', ToyAudio)
  const { bridge, user } = await show()
  bridge.on('settings.saveSound', () => undefined)
  bridge.on('settings.soundFile', () => ({ base64: btoa('ding') }))
  const choose = (bytes: number) =>
    user.upload(
      screen.getByLabelText('Choose a file…', { selector: 'input' }),
      new File(['x'.repeat(bytes)], 'ding.mp3', { type: 'audio/mpeg' }),
    )
  await choose(500_001)
  expect((await screen.findByRole('alert')).textContent).toContain('The limit is 500 kB')
  ToyAudio.seconds = 60
  await choose(4)
  expect((await screen.findByText(/longer than ten seconds/)).textContent).toBeTruthy()
  ToyAudio.seconds = undefined
  await choose(4)
  expect((await screen.findByText(/Couldn’t play this file/)).textContent).toBeTruthy()
  expect(bridge.inputsOf('settings.saveSound')).toEqual([])
  ToyAudio.seconds = 2
  await choose(4)
  await vi.waitFor(() => expect(played).toEqual(['file']))
  expect(bridge.inputsOf('settings.saveSound')).toEqual([{ name: 'ding.mp3', base64: btoa('xxxx') }])
  vi.unstubAllGlobals()
})

test('one sound is chosen for all; the kinds that differ keep their own', async () => {
  const { chosen, user } = await show({ choices: { sounds: { ...DEFAULT_SOUNDS, reminder: 'bell' } } })
  await user.selectOptions(screen.getByRole('combobox', { name: 'Sound' }), 'Knock')
  expect(chosen).toMatchObject([{ sound: true, sounds: { meant: 'knock', message: 'knock', reminder: 'bell' } }])
  await user.selectOptions(screen.getByRole('combobox', { name: 'Other messages' }), 'Drop')
  expect(chosen.at(-1)).toMatchObject({ sounds: { message: 'drop', reminder: 'bell' } })
  expect(screen.getByRole('slider', { name: 'Volume' })).toBeTruthy()
})

test('without a sound there is nothing to choose about it', async () => {
  const { chosen, user } = await show()
  await user.selectOptions(screen.getByRole('combobox', { name: 'Sound' }), 'None')
  expect(chosen).toMatchObject([{ sound: false }])
  cleanup()
  await show({ choices: { sound: false } })
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Sound' }).value).toBe('none')
  expect(screen.queryByRole('combobox', { name: 'Reminders' })).toBeNull()
})

test('channels with their own level are listed, and go back to the default', async () => {
  const account = sidebarKey(aSession())
  const { chosen, user } = await show({ choices: { levels: { [account]: { 'team:plans': 'all' } } } })
  expect(screen.getByText('team:plans')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Show channels with their own setting' }))
  await user.selectOptions(screen.getByRole('combobox', { name: 'team:plans' }), 'Use default')
  expect(chosen).toMatchObject([{ levels: { [account]: {} } }])
})

test('a pause shows its end and can be ended', async () => {
  const { chosen, user } = await show({ choices: { pausedUntil: Date.now() + 3_600_000 } })
  const pause = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Pause now' })
  expect(pause.selectedOptions[0]?.textContent).toMatch(/^Until .*[AP]M$/)
  await user.selectOptions(pause, 'Not paused')
  expect(chosen).toMatchObject([{ pausedUntil: 0 }])
})

test('the row of quiet hours says when they are', async () => {
  await show({ choices: { quietHours: [{ id: 'night', weekdays: [1, 2, 3, 4, 5, 6, 7], from: 1_200, to: 480 }] } })
  expect(screen.getByText(/every day, 8:00\sPM–8:00\sAM/)).toBeTruthy()
})

test('quiet hours are added, changed and removed', async () => {
  const stretch = { id: 'night', weekdays: [1, 2], from: 1_200, to: 480 }
  const { chosen, user } = await show({ choices: { quietHours: [stretch] } })
  await user.click(screen.getByRole('button', { name: 'Edit quiet hours' }))
  const group = within(screen.getByRole('group', { name: 'Quiet hours' }))
  await user.click(group.getByRole('button', { name: 'Tuesday' }))
  await user.click(group.getByRole('button', { name: 'Sunday' }))
  await user.click(group.getByRole('button', { name: 'Remove these hours' }))
  await user.click(screen.getByRole('button', { name: 'Add quiet hours' }))
  expect(chosen.map(({ quietHours = [] }) => quietHours.map(({ weekdays }) => weekdays))).toEqual([
    [[1]],
    [[1, 2, 7]],
    [],
    [
      [1, 2],
      [1, 2, 3, 4, 5],
    ],
  ])
})

test.each<[NotifyProof, string]>([
  [{ outcome: 'shown', quiet: 'nothing' }, 'The system says the notification is on the screen.'],
  [{ outcome: 'refused', quiet: 'nothing' }, 'doesn’t allow Parlor to show notifications'],
  [{ outcome: 'silence', quiet: 'hours' }, 'it’s quiet hours'],
  [{ outcome: 'shown', quiet: 'account' }, 'this workspace is muted'],
])('a test notification shows its outcome: %o', async (proof, text) => {
  const { user } = await show({ proof })
  await user.click(screen.getByRole('button', { name: 'Send test' }))
  expect((await screen.findByRole('status')).textContent).toContain(text)
})

test('the log says why recent messages notified or not', async () => {
  const record = { cid: asCid('team:plans'), at: 1 }
  const { user } = await show({
    records: [
      {
        ...record,
        messageId: asMessageId('m1'),
        notifies: true,
        deferred: false,
        cause: 'keyword',
        steps: [{ rule: 'cause', stops: false, cause: 'keyword', keyword: 'banner' }],
        outcome: 'shown',
      },
      {
        ...record,
        messageId: asMessageId('m2'),
        notifies: false,
        deferred: false,
        steps: [{ rule: 'channel-muted', stops: true }],
        outcome: 'not-shown',
      },
    ],
  })
  await user.click(screen.getByRole('button', { name: 'Notification log' }))
  const lines = await screen.findAllByRole('listitem')
  expect(lines.map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('Notified: it contains the keyword “banner”.'),
    expect.stringContaining('Not notified: the channel is muted.'),
  ])
})
