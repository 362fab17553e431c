import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { DryRunSummary } from '#shared/domain/manage/campaigns.ts'
import { campaignScene, draft, person, refused, summary } from '#kit/fake-bridge/campaigns.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { onAnnouncement } from '../../../../lib/page/announce.ts'
import { CampaignsPage } from '../CampaignsPage.tsx'

afterEach(cleanup)

test('before it is sent the list is shown, and the number of people has to be typed', async () => {
  const bridge = campaignScene()
  bridge.on('campaigns.start', () => ({ ...draft, state: 'in_progress' }))
  await renderInApp(<CampaignsPage id="c1" />, bridge)
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Review and send…' }))
  expect(await screen.findByRole('row', { name: /Ewa.*By name/ })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Send or schedule…' }))
  const dialog = await screen.findByRole('dialog', { name: 'Send to 3 people?' })
  const number = within(dialog).getByRole('textbox', { name: 'Type 3 to confirm' })
  await user.type(number, '4')
  await user.click(within(dialog).getByRole('button', { name: 'Send campaign' }))
  expect(await within(dialog).findByText('This isn’t the number of people.')).toBeTruthy()
  expect(bridge.inputsOf('campaigns.start')).toEqual([])
  await user.clear(number)
  await user.type(number, '3')
  await user.click(within(dialog).getByRole('button', { name: 'Send campaign' }))
  await waitFor(() =>
    expect(bridge.inputsOf('campaigns.start')).toMatchObject([{ id: 'c1', version: 'v1', people: 3 }]),
  )
})

test('what is to stop by itself stops a day after its start, unless another moment is chosen', async () => {
  const bridge = campaignScene()
  bridge.on('campaigns.start', () => ({ ...draft, state: 'scheduled' }))
  await renderInApp(<CampaignsPage id="c1" />, bridge)
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Review and send…' }))
  await screen.findByRole('row', { name: /Ewa.*By name/ })
  await user.click(screen.getByRole('button', { name: 'Send or schedule…' }))
  const dialog = await screen.findByRole('dialog', { name: 'Send to 3 people?' })
  await user.click(within(dialog).getByText('At a time you choose'))
  await user.click(within(dialog).getByRole('checkbox', { name: /^Stop automatically/ }))
  await user.type(within(dialog).getByRole('textbox', { name: 'Type 3 to confirm' }), '3')
  await user.click(within(dialog).getByRole('button', { name: 'Schedule campaign' }))
  await waitFor(() => expect(bridge.inputsOf('campaigns.start')).toHaveLength(1))
  const { scheduledFor = 0, stopAt = 0 } = bridge.inputsOf('campaigns.start')[0] as Record<string, number>
  expect(stopAt - scheduledFor).toBe(86_400_000)
})

test('where nobody knows who has a channel already, there is no column for it', async () => {
  vi.stubGlobal('innerWidth', 1_440)
  onTestFinished(() => void vi.unstubAllGlobals())
  const bridge = campaignScene()
  let reach: DryRunSummary['reach'] = { new: 2, existing: 1 }
  bridge.on('campaigns.dryRun', () => ({ run: 'r1', checked: 5, summary: { ...summary, reach } }))
  await renderInApp(<CampaignsPage id="c1" />, bridge)
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Review and send…' }))
  expect(await screen.findByRole('columnheader', { name: 'Channel' })).toBeTruthy()
  reach = { unknown: 3 }
  await user.click(screen.getByRole('button', { name: 'Check again' }))
  await waitFor(() => expect(screen.queryByRole('columnheader', { name: 'Channel' })).toBeNull())
  expect(screen.getByRole('columnheader', { name: 'Their time' })).toBeTruthy()
})

test('whom it leaves out is counted by reason, and each reason lists its people', async () => {
  const bridge = campaignScene()
  bridge.on('campaigns.people', ({ view, why }) => {
    const hana = { ...person, id: 'hana', name: 'Hana', place: undefined, why } as const
    return view === 'gets' ? { people: [person], count: 1 } : { people: [hana], count: 1 }
  })
  await renderInApp(<CampaignsPage id="c1" />, bridge)
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Review and send…' }))
  expect(await screen.findByRole('radio', { name: 'Left out: 2' })).toBeTruthy()
  await user.click(screen.getByRole('radio', { name: 'Overview' }))
  expect(screen.getByRole('button', { name: /The sender.*1/ })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: /Deactivated.*1/ }))
  expect(await screen.findByRole('row', { name: /Hana.*Deactivated/ })).toBeTruthy()
  expect(bridge.inputsOf('campaigns.people').at(-1)).toMatchObject({ view: 'left-out', why: 'deactivated' })
})

test.each([
  ['en', 'Review and send…', 'Overview', 'Without: field “skill”', 'Without: first name'],
  ['pl', 'Sprawdź i\u00A0wyślij…', 'Podsumowanie', 'Brak: pole „skill”', 'Brak: imię'],
  ['ru', 'Проверить и\u00A0отправить…', 'Сводка', 'Не заполнено: поле «skill»', 'Не заполнено: имя'],
] as const)(
  'in %s the name of a field begins small within its line',
  async (language, review, overview, own, known) => {
    const bridge = campaignScene()
    const missing = { 'receiver.skill': 1, 'receiver.first_name': 2 }
    bridge.on('campaigns.dryRun', () => ({ run: 'r1', checked: 5, summary: { ...summary, missing } }))
    await renderInApp(<CampaignsPage id="c1" />, bridge, language)
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: review }))
    await user.click(await screen.findByRole('radio', { name: overview }))
    expect(await screen.findByText(own)).toBeTruthy()
    expect(screen.getByText(known)).toBeTruthy()
  },
)

test('the list of a dry run is saved as a table, and its people are let go when the page is left', async () => {
  const bridge = campaignScene()
  bridge.on('data.exportDryRun', () => ({ saved: { fileName: 'dry-run.csv', folderName: 'Documents', messages: 5 } }))
  const said: string[] = []
  onTestFinished(onAnnouncement(({ text }) => said.push(text)))
  await renderInApp(<CampaignsPage id="c1" />, bridge)
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Review and send…' }))
  await screen.findByRole('row', { name: /Ewa.*By name/ })
  await user.click(screen.getByRole('button', { name: 'Export as CSV' }))
  await waitFor(() => expect(said).toContain('Saved as dry-run.csv'))
  expect(bridge.inputsOf('data.exportDryRun')).toMatchObject([{ run: 'r1', at: expect.any(Number) }])
  bridge.on('data.exportDryRun', refused('data/disk-full'))
  await user.click(screen.getByRole('button', { name: 'Export as CSV' }))
  expect(await screen.findByRole('alert')).toBeTruthy()
  const before = bridge.inputsOf('campaigns.endDryRun').length
  await user.click(screen.getByRole('button', { name: 'Back' }))
  await waitFor(() => expect(bridge.inputsOf('campaigns.endDryRun').slice(before)).toEqual([{ run: 'r1' }]))
})

const dialogOf = async (bridge: ReturnType<typeof campaignScene>, at: number) => {
  vi.setSystemTime(at)
  onTestFinished(() => void vi.useRealTimers())
  await renderInApp(<CampaignsPage id="c1" />, bridge)
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Review and send…' }))
  await user.click(await screen.findByRole('button', { name: 'Send or schedule…' }))
  return { user, dialog: within(await screen.findByRole('dialog')) }
}

test('before it is sent at night that is said, for the viewer and for those whose time zone is known', async () => {
  const bridge = campaignScene()
  bridge.on('campaigns.start', () => ({ ...draft, state: 'scheduled' }))
  const night = new Date(2026, 10, 20, 23, 30)
  const { user, dialog } = await dialogOf(bridge, night.getTime())
  expect(dialog.getByText(/^It’s night in your time zone then, 10:00\sPM to 8:00\sAM/)).toBeTruthy()
  expect(dialog.getByText(/The time zone of 1 person isn’t known/)).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: /^Choose .*9:00/ }))
  expect(dialog.queryByText(/It’s night in your time zone/)).toBeNull()
  await user.type(dialog.getByRole('textbox', { name: 'Type 3 to confirm' }), '3')
  await user.click(dialog.getByRole('button', { name: 'Schedule campaign' }))
  const morning = new Date(2026, 10, 21, 9).getTime()
  await waitFor(() => expect(bridge.inputsOf('campaigns.start')).toMatchObject([{ people: 3, scheduledFor: morning }]))
})

test('those for whom it is night are listed with their own time, and nobody is guessed', async () => {
  const bridge = campaignScene()
  const rows = [
    { ...person, timeZone: 'Asia/Tokyo' },
    { ...person, id: 'hana', name: 'Hana', place: 2, text: 'Hi Hana' },
  ]
  bridge.on('campaigns.people', () => ({ people: rows, count: 2 }))
  const at = Date.UTC(2026, 10, 20, 14, 30)
  const { user, dialog } = await dialogOf(bridge, at)
  expect(dialog.getByText(/It’s night for 1 person, 10:00\sPM to 8:00\sAM their time/)).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Show who' }))
  await waitFor(() => expect(bridge.inputsOf('campaigns.people').at(-1)).toMatchObject({ view: 'gets', nightAt: at }))
  expect((await screen.findByRole('row', { name: /Ewa/ })).textContent).toMatch(/Night.*11:30\sPM, Japan Time/)
  expect(screen.getByRole('row', { name: /Hana/ }).textContent).toContain('Not known')
  await user.click(screen.getByRole('radio', { name: 'Overview' }))
  await user.click(screen.getByRole('button', { name: /Time zone not known/ }))
  await waitFor(() => expect(bridge.inputsOf('campaigns.people').at(-1)).toMatchObject({ zoneless: true }))
})
