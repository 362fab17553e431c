import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { AppError } from '#shared/lib/app-error.ts'
import { DEFAULT_SETTINGS, type Settings } from '#shared/domain/settings.ts'
import { asCid } from '#shared/lib/brand.ts'
import { aChannel, aMessage, aSession, byCid, createFakeBridge } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { LiveChip } from './index.ts'
import { LocationCard } from './LocationCard.tsx'
import { LocationDialog } from './LocationDialog.tsx'

const cid = asCid('messaging:release')
const HOUR = 3_600_000

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

function aBridge() {
  const self = DEFAULT_SETTINGS
  const rows = { channels: byCid([aChannel({ cid })]), session: { self: aSession() }, settings: { self } }
  const bridge = createFakeBridge({ rows })
  bridge.on('settings.update', (input: Partial<Settings>) =>
    bridge.change({ settings: { self: { ...self, ...input } } }),
  )
  return bridge
}
const share = () => screen.getByRole('button', { name: 'Share location' })
const latitude = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Latitude' })
const longitude = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Longitude' })
async function open() {
  const bridge = aBridge()
  await renderInApp(<LocationDialog cid={cid} />, bridge)
  return bridge
}
const type = (text: string) => fireEvent.change(latitude(), { target: { value: text } })

test('nothing is shared before a place is chosen; pasted coordinates fill both fields', async () => {
  const bridge = await open()
  await userEvent.click(share())
  expect(bridge.inputsOf('locations.share')).toEqual([])
  expect(share().getAttribute('aria-disabled')).toBe('true')
  type(`49°16'28.56"N 19°52'5.88"E`)
  expect(latitude().value).toBe('49.2746')
  expect(longitude().value).toBe('19.8683')
  await userEvent.click(share())
  expect(bridge.inputsOf('locations.share')).toEqual([
    { cid, latitude: 49.2746, longitude: 19.8683, precision: 'exact' },
  ])
})

test('the location is rounded before it is sent, and live for the chosen time', async () => {
  const bridge = await open()
  type('49.2746, 19.8683')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Others see' }), 'About 1 km')
  await userEvent.click(screen.getByRole('radio', { name: '1 hour' }))
  await userEvent.click(share())
  expect(bridge.inputsOf('locations.share')).toEqual([
    { cid, latitude: 49.27, longitude: 19.87, precision: 'near', forMs: HOUR },
  ])
})

test('a live share shorter than a minute is refused with the reason', async () => {
  const bridge = await open()
  type('49.2746, 19.8683')
  await userEvent.click(screen.getByRole('radio', { name: 'Custom' }))
  const minutes = screen.getByRole('textbox', { name: 'Minutes' })
  fireEvent.change(minutes, { target: { value: '0.5' } })
  expect(screen.getByRole('alert').textContent).toBe('At least 1 minute')
  await userEvent.click(share())
  fireEvent.change(minutes, { target: { value: '1' } })
  await userEvent.click(share())
  expect(bridge.inputsOf('locations.share')).toEqual([
    { cid, latitude: 49.2746, longitude: 19.8683, precision: 'exact', forMs: 60_000 },
  ])
})

test('the pin is moved by arrow keys, smaller steps with Shift', async () => {
  await open()
  type('10, 20')
  const map = screen.getByRole('application', { name: 'Map with your pin' })
  fireEvent.keyDown(map, { key: 'ArrowUp' })
  expect(latitude().value).toBe('10.4')
  expect(longitude().value).toBe('20')
  fireEvent.keyDown(map, { key: 'ArrowDown', shiftKey: true })
  expect(latitude().value).toBe('10.36')
})

test('a failed share shows the error and preserves the input', async () => {
  const bridge = await open()
  bridge.on('locations.share', () => {
    throw new AppError('location/failed')
  })
  type('49.2746, 19.8683')
  await userEvent.click(share())
  expect(await screen.findByText('Failed to share the location. Your choice is saved.')).toBeTruthy()
  expect(latitude().value).toBe('49.2746')
})

test('without permission for the device’s location an error is shown', async () => {
  const refused = (_ok: unknown, fail: (reason: { code: number }) => void) => fail({ code: 1 })
  vi.spyOn(navigator, 'geolocation', 'get').mockReturnValue({ getCurrentPosition: refused } as never)
  await open()
  await userEvent.click(screen.getByRole('button', { name: 'Use my current location' }))
  expect((await screen.findByRole('alert')).textContent).toMatch(/^Parlor isn’t allowed to use this device’s location/)
  vi.restoreAllMocks()
})

test('a place can be saved by name and selected again', async () => {
  await open()
  type('49.2746, 19.8683')
  await userEvent.click(screen.getByRole('button', { name: 'Save this place' }))
  await userEvent.type(screen.getByRole('textbox', { name: 'Place name' }), 'Hut{Enter}')
  type('0, 0')
  await userEvent.click(screen.getByRole('button', { name: 'Hut' }))
  expect(latitude().value).toBe('49.2746')
  expect(longitude().value).toBe('19.8683')
})

test('a location withdrawn opens with its values, and replaces the unsent message', async () => {
  const bridge = aBridge()
  const live = { forMs: HOUR, until: 0 }
  const from = { id: 'm9', place: { latitude: 1, longitude: 2, precision: 'near' as const, live } }
  await renderInApp(<LocationDialog cid={cid} from={from} />, bridge)
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Others see' }).value).toBe('near')
  await userEvent.click(share())
  const choice = { latitude: 1, longitude: 2, precision: 'near', forMs: HOUR }
  expect(bridge.inputsOf('locations.share')).toEqual([{ cid, ...choice, replaces: 'm9' }])
})

const aShare = (endAt?: number, userId = aSession().userId) =>
  aMessage({
    id: 'm1',
    cid,
    userId: userId ?? 'ola',
    location: { latitude: 49, longitude: 20, updatedAt: Date.now(), endAt },
  })

test('a share of 15 minutes shows 15 minutes even if the server’s clock is slightly ahead', async () => {
  const message = aShare(Date.now() + 15 * 60_000 + 800)
  await renderInApp(<LocationCard message={message} location={message.location!} />, aBridge())
  expect(screen.getByText('15 more minutes of sharing')).toBeTruthy()
})

test('an own live share can be stopped, and ends at its time without an event', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  const bridge = aBridge()
  const message = aShare(Date.now() + 42 * 60_000)
  await renderInApp(<LocationCard message={message} location={message.location!} />, bridge)
  expect(screen.getByText('42 more minutes of sharing')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Stop sharing' }))
  expect(bridge.inputsOf('locations.stop')).toEqual([{ messageId: 'm1' }])
  vi.setSystemTime(Date.now() + 42 * 60_000)
  await act(async () => vi.advanceTimersByTimeAsync(30_000))
  expect(screen.getByText('Live location ended')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Stop sharing' })).toBeNull()
})

test('an unsent live share is not shown as live and has no stop button', async () => {
  const message = { ...aShare(Date.now() + HOUR), status: 'queued' as const }
  await renderInApp(<LocationCard message={message} location={message.location!} />, aBridge())
  expect(screen.getByText('Live location, not shared yet')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Stop sharing' })).toBeNull()
})

test('the live share of another user has no stop button', async () => {
  const message = aShare(Date.now() + HOUR, 'jonas' as never)
  await renderInApp(<LocationCard message={message} location={message.location!} />, aBridge())
  expect(screen.queryByText('Live location')).not.toBe(null)
  expect(screen.queryByRole('button', { name: 'Stop sharing' })).toBeNull()
})

test('during live sharing the title strip shows the end time, and one click stops all shares', async () => {
  const bridge = aBridge()
  bridge.on('locations.live', () => [
    { messageId: 'm1', cid, endAt: Date.now() + HOUR },
    { messageId: 'm2', cid, endAt: Date.now() + 2 * HOUR },
  ])
  await renderInApp(<LiveChip />, bridge)
  await userEvent.click(await screen.findByRole('button', { name: /^Sharing location until/ }))
  await waitFor(() => expect(bridge.inputsOf('locations.stop')).toEqual([{ messageId: 'm1' }, { messageId: 'm2' }]))
})

test('the device name of a live share is sent, saved in the settings, and shown to others', async () => {
  const bridge = await open()
  type('1, 2')
  expect(screen.queryByRole('textbox', { name: /^Device name/ })).toBeNull()
  await userEvent.click(screen.getByRole('radio', { name: '1 hour' }))
  await userEvent.type(screen.getByRole('textbox', { name: /^Device name/ }), 'Laptop')
  await userEvent.click(share())
  expect(bridge.inputsOf('locations.share')).toMatchObject([{ device: 'Laptop', forMs: HOUR }])
  cleanup()
  const [update] = bridge.inputsOf('settings.update').slice(-1)
  expect(update).toEqual({ places: { saved: [], device: 'Laptop', last: { latitude: 1, longitude: 2, span: 4 } } })
  const message = aShare(Date.now() + HOUR, 'jonas' as never)
  const location = { ...message.location!, device: 'Laptop' }
  await renderInApp(<LocationCard message={{ ...message, location }} location={location} />, aBridge())
  expect(screen.getByText(/, from Laptop$/)).toBeTruthy()
})

test('the device’s position is read for the distance only on click', async () => {
  const here = (ok: (at: object) => void) => ok({ coords: { latitude: 49, longitude: 21, accuracy: 5 } })
  const geolocation = vi.spyOn(navigator, 'geolocation', 'get').mockReturnValue({ getCurrentPosition: here } as never)
  const message = aShare()
  await renderInApp(<LocationCard message={message} location={message.location!} />, aBridge())
  await userEvent.click(screen.getByRole('button', { name: 'Open map' }))
  expect(geolocation).not.toHaveBeenCalled()
  await userEvent.click(screen.getByRole('button', { name: 'Distance to me' }))
  expect(await screen.findByText('73 km from here')).toBeTruthy()
  vi.restoreAllMocks()
})

test('the track of a live location is shown once the switch is on', async () => {
  const bridge = aBridge()
  const message = aShare(Date.now() + HOUR, 'jonas' as never)
  bridge.on('settings.update', (change: object) =>
    bridge.change({ settings: { self: { ...DEFAULT_SETTINGS, ...change } } }),
  )
  bridge.on('locations.track', () => [
    { latitude: 49, longitude: 19, at: Date.now() - HOUR },
    { latitude: 49, longitude: 20, at: Date.now() },
  ])
  await renderInApp(<LocationCard message={message} location={message.location!} />, bridge)
  await userEvent.click(screen.getByRole('button', { name: 'Open map' }))
  const trailSwitch = await screen.findByRole('switch', { name: 'Show the trail' })
  expect(trailSwitch.getAttribute('aria-checked')).toBe('false')
  expect(bridge.inputsOf('locations.track')).toEqual([])
  await userEvent.click(trailSwitch)
  expect(bridge.inputsOf('settings.update')).toEqual([{ locationTracks: true }])
  expect(await screen.findByText(/^73 km since .*Deleted when sharing ends\.$/)).toBeTruthy()
  expect(document.querySelectorAll('polyline')).toHaveLength(1)
})

test('a location sent once has no track', async () => {
  const message = aShare()
  await renderInApp(<LocationCard message={message} location={message.location!} />, aBridge())
  await userEvent.click(screen.getByRole('button', { name: 'Open map' }))
  expect(screen.queryByRole('switch')).toBeNull()
})
