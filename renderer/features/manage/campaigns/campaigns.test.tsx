import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { useState } from 'react'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { CampaignContent, ListedCampaign } from '#shared/domain/manage/campaigns.ts'
import { MANAGE_RIGHTS } from '#shared/domain/manage/manage.ts'
import { campaignScene, content, draft, KEPT_AT, person, refused, running } from '#kit/fake-bridge/campaigns.ts'
import { aConnection } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { unreadableFrom } from '#kit/unreadable-file.ts'
import { formatsFor } from '../../../i18n/format.tsx'
import { onAnnouncement } from '../../../lib/page/announce.ts'
import { SAVE_AFTER_MS } from '../../../lib/page/saving.ts'
import { CampaignsPage } from './CampaignsPage.tsx'

afterEach(cleanup)

const open = async (name: RegExp) => {
  const user = userEvent.setup()
  await user.click(await screen.findByRole('row', { name }))
  return user
}

test('campaigns are listed with their state and what the server counts, and narrowed by state', async () => {
  const bridge = campaignScene()
  await renderInApp(<CampaignsPage />, bridge)
  const row = await screen.findByRole('row', { name: /Going out/ })
  expect(within(row).getByText('Running')).toBeTruthy()
  expect(within(row).getByText('1,234')).toBeTruthy()
  expect(within(row).getByRole('progressbar').getAttribute('aria-valuenow')).toBe('50')
  await userEvent.click(screen.getByRole('radio', { name: 'Stopped' }))
  await waitFor(() => expect(bridge.inputsOf('campaigns.list').at(-1)).toMatchObject({ states: ['stopped'] }))
})

test('in a narrow window, where there is no column for it, how far a campaign is stands under its name', async () => {
  vi.stubGlobal('innerWidth', 450)
  onTestFinished(() => void vi.unstubAllGlobals())
  await renderInApp(<CampaignsPage />, campaignScene())
  const row = await screen.findByRole('row', { name: /Going out/ })
  expect(screen.queryByRole('columnheader', { name: 'Progress' })).toBeNull()
  expect(within(row).getByText('1,234')).toBeTruthy()
  expect(within(row).getByRole('progressbar').getAttribute('aria-valuenow')).toBe('50')
})

test('a new campaign is written and saved, and says what is missing', async () => {
  const bridge = campaignScene([])
  bridge.on('campaigns.create', ({ content: written }) => ({ ...draft, content: written as CampaignContent }))
  await renderInApp(<CampaignsPage />, bridge)
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'New campaign' }))
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Type a name.')).toBeTruthy()
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'News')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Write a message, or add a file or a poll.')).toBeTruthy()
  expect(bridge.inputsOf('campaigns.create')).toEqual([])
  await user.type(screen.getByRole('textbox', { name: 'Message' }), 'Hello')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(bridge.inputsOf('campaigns.create')).toHaveLength(1))
  expect(bridge.inputsOf('campaigns.create')[0]).toMatchObject({ content: { name: 'News', text: 'Hello' } })
})

test('a field is inserted where the caret is, with what is written for those who have none', async () => {
  await renderInApp(<CampaignsPage id="c1" />, campaignScene([{ ...draft, content: { ...content, text: 'Hi ' } }]))
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Insert a field' }))
  await user.click(screen.getByRole('menuitem', { name: 'First name' }))
  await user.type(screen.getByRole('textbox', { name: 'If there is none, write' }), 'there')
  await user.click(screen.getByRole('button', { name: 'Insert' }))
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' }).value).toContain(
    '{{receiver.first_name|there}}',
  )
  expect(screen.getByText('First name, or “there”')).toBeTruthy()
})

test('a file of this device is uploaded and goes with the message; a refused one says why', async () => {
  const bridge = campaignScene()
  const attachment = { title: 'plan.pdf', image: false, json: '{"type":"file"}' }
  bridge.on('campaigns.sendFile', refused('upload/type-refused'))
  await renderInApp(<CampaignsPage />, bridge)
  const user = await open(/Beta news/)
  await user.click(await screen.findByRole('button', { name: 'Add a file' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'File' }))
  await user.click(dialog.getByRole('button', { name: 'Add' }))
  expect(dialog.getByRole('alert').textContent).toBe('Choose a file.')
  const input = dialog.getByLabelText('Choose file…', { selector: 'input' })
  await user.upload(input, new File([], 'empty.txt'))
  expect(dialog.getByRole('alert').textContent).toBe('This file is empty. Choose another one.')
  await user.upload(input, new File(['x'.repeat(600_000)], 'plan.pdf', { type: 'application/pdf' }))
  await user.click(dialog.getByRole('button', { name: 'Add' }))
  expect((await dialog.findByRole('alert')).textContent).toContain('files of this type aren’t allowed here')
  const parts: number[] = []
  bridge.on('campaigns.sendFile', ({ id, sizeBytes, base64 }) => {
    parts.push(atob(base64).length)
    expect({ id, sizeBytes }).toEqual({ id: parts.length === 1 ? undefined : 'f1', sizeBytes: 600_000 })
    return { id: 'f1', ...(parts.length === 2 ? { attachment } : {}) }
  })
  await user.click(dialog.getByRole('button', { name: 'Add' }))
  await screen.findByRole('button', { name: 'Remove plan.pdf' })
  expect(parts).toEqual([524_288, 75_712])
})

test('what has arrived of a file is dropped when the rest cannot be read', async () => {
  const bridge = campaignScene()
  bridge.on('campaigns.sendFile', () => ({ id: 'f1' }))
  await renderInApp(<CampaignsPage />, bridge)
  const user = await open(/Beta news/)
  await user.click(await screen.findByRole('button', { name: 'Add a file' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'File' }))
  await user.upload(dialog.getByLabelText('Choose file…', { selector: 'input' }), unreadableFrom(524_288))
  await user.click(dialog.getByRole('button', { name: 'Add' }))
  expect((await dialog.findByRole('alert')).textContent).toContain('The file changed while it was being read')
  expect(bridge.inputsOf('campaigns.dropFile')).toEqual([{ id: 'f1' }])
})

test('new channels get a name, a team, data and moderators', async () => {
  const bridge = campaignScene([
    { ...draft, content: { ...content, channel: { type: 'team', members: ['ewa'], fields: {} } } },
  ])
  const saved: CampaignContent[] = []
  bridge.on('campaigns.change', ({ content: written }) => {
    saved.push(written)
    return { ...draft, content: written, version: 'v2' }
  })
  await renderInApp(<CampaignsPage />, bridge)
  const user = await open(/Beta news/)
  await user.click(await screen.findByRole('button', { name: 'Change' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Delivery' }))
  await user.type(dialog.getByRole('textbox', { name: /Channel name/ }), 'Welcome')
  await user.type(dialog.getByRole('textbox', { name: /Team/ }), 'red')
  await user.selectOptions(dialog.getByRole('combobox', { name: 'Role of ewa name' }), 'Moderator')
  const data = within(dialog.getByRole('group', { name: 'Custom data' }))
  await user.click(data.getByRole('button', { name: 'Add' }))
  expect(data.getByRole('alert').textContent).toBe('This name isn’t allowed. Choose another one.')
  await user.type(data.getByRole('textbox', { name: /Name/ }), 'season')
  await user.type(data.getByRole('textbox', { name: /Value/ }), 'winter')
  await user.click(data.getByRole('button', { name: 'Add' }))
  await user.click(dialog.getByRole('button', { name: 'Apply' }))
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(saved).toHaveLength(1))
  expect(saved[0]?.channel).toEqual({
    type: 'team',
    members: ['ewa'],
    moderators: ['ewa'],
    team: 'red',
    name: 'Welcome',
    fields: { season: 'winter' },
  })
})

test('what someone else has changed is not overwritten: the viewer decides', async () => {
  const bridge = campaignScene()
  bridge.on('campaigns.change', refused('campaigns/changed'))
  await renderInApp(<CampaignsPage id="c1" />, bridge)
  const user = userEvent.setup()
  const name = await screen.findByRole('textbox', { name: 'Name' })
  await user.type(name, ' 2')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Someone else has changed this campaign in the meantime.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Discard my changes' }))
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('Beta news')
})

test('a running campaign shows what the server counts, and stopping asks with the number', async () => {
  const bridge = campaignScene()
  bridge.on('campaigns.stop', () => ({ ...running, state: 'stopped' }))
  await renderInApp(<CampaignsPage />, bridge)
  const user = await open(/Going out/)
  expect(await screen.findByText('800')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Stop campaign…' }))
  const dialog = await screen.findByRole('alertdialog', { name: 'Stop “Going out”?' })
  expect(dialog.textContent).toContain('1,234')
  await user.click(within(dialog).getByRole('button', { name: 'Stop campaign' }))
  await waitFor(() => expect(bridge.inputsOf('campaigns.stop')).toEqual([{ id: 'c2' }]))
})

test('replies are shown with the conversations they are counted in, and counted again when there is another one', async () => {
  const bridge = campaignScene()
  bridge.on('campaigns.replies', () => ({ replies: { count: 12, known: 30, all: 200 } }))
  await renderInApp(<CampaignsPage id="c2" />, bridge)
  const figure = async (text: string) =>
    expect((await screen.findByText('Replies')).parentElement?.textContent).toBe(`Replies${text}`)
  await figure('12in 30 of 200 conversations')
  expect(screen.getByText(/It isn’t known what was written in the others/)).toBeTruthy()
  expect(bridge.inputsOf('campaigns.replies').at(-1)).toEqual({ id: 'c2' })
  const opened = bridge.inputsOf('campaigns.get').length
  bridge.on('campaigns.replies', () => ({ replies: { count: 1_300, known: 200, all: 200 } }))
  const manage = { rights: [...MANAGE_RIGHTS], source: 'owner' as const }
  await act(async () => bridge.change({ manage: { self: { ...manage, changes: { 'campaign-replies': 1 } } } }))
  await waitFor(() => figure('1,300in 200 of 200 conversations'))
  // Whoever answers has read it.
  expect(bridge.inputsOf('campaigns.get').length).toBeGreaterThan(opened)
  expect(screen.queryByText(/It isn’t known what was written/)).toBeNull()
})

test('where this device knows none of the conversations, no number of replies is given', async () => {
  const bridge = campaignScene()
  bridge.on('campaigns.replies', () => ({ replies: { count: 0, known: 0, all: 200 } }))
  await renderInApp(<CampaignsPage id="c2" />, bridge)
  expect((await screen.findByText('Replies')).nextSibling?.textContent).toBe('Not known')
})

test('how it went is drawn from what the server said and when, and shown as a table', async () => {
  const bridge = campaignScene()
  const noted = (at: number, usersSent: number) =>
    ({
      at,
      usersSent,
      usersDelivered: 40,
      usersRead: usersSent / 2,
      messagesSent: usersSent,
      channelsCreated: 0,
    }) as const
  const readings = [noted(Date.UTC(2026, 10, 20, 9, 0), 100), noted(Date.UTC(2026, 10, 20, 9, 5), 1_234)]
  bridge.on('campaigns.get', () => ({ campaign: running, notSent: { rows: [], count: 0 }, readings }))
  await renderInApp(<CampaignsPage id="c2" />, bridge)
  expect(await screen.findByRole('img', { name: /People have it: 1,234, Delivered: 40, and Read: 617$/ })).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Show as table' }))
  const table = await screen.findByRole('table', { name: 'Over time' })
  const rows = within(table).getAllByRole('row').slice(1)
  const cells = rows.map((row) =>
    within(row)
      .getAllByRole('cell')
      .map((cell) => cell.textContent),
  )
  // The newest first.
  expect(cells.map(([sent, delivered]) => [sent, delivered])).toEqual([
    ['1,234', '40'],
    ['100', '40'],
  ])
})

test('where nobody confirms that a message arrived, nothing is said about it', async () => {
  const bridge = campaignScene()
  await renderInApp(<CampaignsPage id="c2" />, bridge)
  expect(await screen.findByText('Messages sent')).toBeTruthy()
  expect(screen.queryByText('Delivered')).toBeNull()
})

test('the message is shown as any person who gets it will see it, with its files and its poll', async () => {
  const file = { title: 'plan.pdf', image: false, json: '{"type":"file"}' }
  const bridge = campaignScene([
    { ...draft, content: { ...content, segmentIds: [], attachments: [file], pollId: 'p1' } },
  ])
  bridge.on('campaigns.poll', () => ({ poll: { question: 'Which hut?', options: ['The old one', 'The new one'] } }))
  const others = [person, { ...person, id: 'hana', name: 'Hana', place: 2, text: 'Hi Hana' }]
  bridge.on('campaigns.people', ({ find, offset }) => ({
    people: others.filter((each) => find === undefined || each.name.includes(find)).slice(offset ?? 0),
    count: 2,
  }))
  await renderInApp(<CampaignsPage id="c1" />, bridge)
  const preview = within(await screen.findByRole('region', { name: 'Preview' }))
  expect(await preview.findByText('Hi Ewa')).toBeTruthy()
  expect(preview.getByText('plan.pdf')).toBeTruthy()
  const poll = within(await preview.findByRole('region', { name: 'Poll' }))
  expect(poll.getByText('Which hut?')).toBeTruthy()
  expect(poll.getAllByRole('listitem').map((option) => option.textContent)).toEqual(['The old one', 'The new one'])
  // Also among what goes with the text.
  expect(screen.getAllByText('Which hut?')).toHaveLength(2)
  const user = userEvent.setup()
  await user.click(preview.getByRole('button', { name: 'As Ewa reads it' }))
  await user.type(screen.getByRole('combobox', { name: 'Find a person' }), 'Han')
  await user.click(await screen.findByRole('option', { name: 'Hana' }))
  expect(await preview.findByText('Hi Hana')).toBeTruthy()
  expect(preview.getByText('2 of 3')).toBeTruthy()
})

test('a poll that was deleted meanwhile is said before anything is sent', async () => {
  const bridge = campaignScene([{ ...draft, content: { ...content, segmentIds: [], pollId: 'p1' } }])
  bridge.on('campaigns.poll', () => ({}))
  await renderInApp(<CampaignsPage id="c1" />, bridge)
  const preview = within(await screen.findByRole('region', { name: 'Preview' }))
  expect(await preview.findByText(/^This poll no longer exists/)).toBeTruthy()
})

test('a campaign is duplicated as a new draft, and deleted after a question', async () => {
  const bridge = campaignScene([{ ...running, state: 'completed' }])
  bridge.on('campaigns.remove', () => undefined)
  await renderInApp(<CampaignsPage id="c2" />, bridge)
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Duplicate' }))
  expect(await screen.findByDisplayValue('Going out (copy)')).toBeTruthy()
  expect(screen.getByDisplayValue(content.text)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Back' }))
  await open(/Going out.*Finished/)
  await user.click(await screen.findByRole('button', { name: 'Delete…' }))
  const question = within(await screen.findByRole('alertdialog'))
  expect(bridge.inputsOf('campaigns.remove')).toEqual([])
  await user.click(question.getByRole('button', { name: /^Delete/ }))
  await waitFor(() => expect(bridge.inputsOf('campaigns.remove')).toEqual([{ id: 'c2' }]))
})

test('every switch of the delivery says in one sentence what follows from it, on and off', async () => {
  const bridge = campaignScene([draft])
  bridge.on('campaigns.change', ({ content: sent }) => ({
    ...draft,
    content: { ...content, ...(sent as typeof content) },
  }))
  await renderInApp(<CampaignsPage id="c1" />, bridge)
  const user = userEvent.setup()
  await user.click((await screen.findAllByRole('button', { name: 'Change' })).at(-1) as HTMLElement)
  const dialog = within(await screen.findByRole('dialog', { name: 'Delivery' }))
  const said: string[][] = []
  for (const each of dialog.getAllByRole('switch')) {
    const sentence = () => document.getElementById(each.getAttribute('aria-describedby') ?? '')?.textContent ?? ''
    const before = sentence()
    await user.click(each)
    said.push([before, sentence()])
  }
  expect(said).toHaveLength(4)
  expect(said.flat().every((sentence) => /^[A-Z][^.]+\.$/.test(sentence))).toBe(true)
  expect(new Set(said.flat()).size).toBe(8)
  await user.selectOptions(dialog.getByRole('combobox', { name: 'The sender in these channels' }), 'exclude')
  await user.click(dialog.getByRole('button', { name: 'Apply' }))
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(bridge.inputsOf('campaigns.change')).toMatchObject([
      {
        content: {
          createChannels: false,
          showChannels: false,
          skipPush: true,
          skipWebhook: true,
          senderMode: 'exclude',
        },
      },
    ]),
  )
})

test('the segments and people of a campaign are counted up to their limits, and no more are taken', async () => {
  const segmentIds = Array.from({ length: 25 }, (_, at) => `s${at}`)
  const bridge = campaignScene([{ ...draft, content: { ...content, segmentIds } }])
  bridge.on('segments.list', () => ({
    segments: [
      { id: 'more', kind: 'user', name: 'One more', description: '', filter: '{}', all: false, size: 2, version: 'v' },
    ],
  }))
  bridge.on('directory.list', () => ({ people: [], more: false }))
  const said: string[] = []
  onTestFinished(onAnnouncement(({ text }) => said.push(text)))
  await renderInApp(<CampaignsPage id="c1" />, bridge)
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Add a segment or a person' }))
  expect(screen.getByText(/Segments: 25 of 25/)).toBeTruthy()
  await user.click(await screen.findByRole('option', { name: 'One more' }))
  expect(said.some((text) => text === 'Segments: 25 of 25')).toBe(true)
  expect(screen.queryByRole('button', { name: 'Remove One more' })).toBeNull()
})

test('those whom it did not reach are named with the reason, and go into a new campaign', async () => {
  const over: ListedCampaign = { ...running, state: 'completed' }
  const bridge = campaignScene([over])
  const missed = { kind: 'user', id: 'hana', state: 'failed', reason: 'the message is longer than 5000' } as const
  bridge.on('campaigns.get', () => ({ campaign: over, notSent: { rows: [missed], count: 1 } }))
  await renderInApp(<CampaignsPage id="c2" />, bridge)
  const user = userEvent.setup()
  const item = await screen.findByRole('listitem')
  expect(item.textContent).toContain('hana name')
  expect(item.textContent).toContain('The message is too long for them')
  await user.click(screen.getByRole('button', { name: 'Try these again…' }))
  expect((await screen.findByRole<HTMLInputElement>('textbox', { name: 'Name' })).value).toBe('Going out (again)')
  expect(screen.getByRole('button', { name: 'Remove hana name' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Remove Testers' })).toBeNull()
})

test('a scheduled campaign says when it starts, in which time zone, and when it stops', async () => {
  const at = new Date('2026-12-01T23:30').getTime()
  const scheduled: ListedCampaign = { ...draft, state: 'scheduled', scheduledFor: at, stopAt: at + 3_600_000 }
  await renderInApp(<CampaignsPage id="c1" />, campaignScene([scheduled]))
  const zone = formatsFor('en', []).zone(at) ?? 'no zone'
  const line = await screen.findByText(/^This campaign starts .*11:30\sPM/u)
  expect(line.textContent).toContain(`(${zone})`)
  expect(line.textContent).toMatch(/It stops .*12:30\sAM at the latest\./u)
})

test('while it is running, those whose turn has not come are counted, and only failures are named', async () => {
  const bridge = campaignScene([running])
  const failed = { kind: 'user', id: 'hana', state: 'failed', reason: 'the message is longer than 5000' } as const
  const waiting = { kind: 'user', id: 'jonas', state: 'pending', reason: '' } as const
  bridge.on('campaigns.get', () => ({ campaign: running, notSent: { rows: [failed, waiting], count: 624 } }))
  await renderInApp(<CampaignsPage id="c2" />, bridge)
  expect(await screen.findByText('Not sent yet')).toBeTruthy()
  expect(screen.getByText('624')).toBeTruthy()
  expect(screen.getByRole('heading', { name: 'Couldn’t be sent so far: 1' })).toBeTruthy()
  expect(screen.getByRole('listitem').textContent).toContain('hana name')
})

test('whoever had not had their turn when it was stopped is named with that reason', async () => {
  const stopped: ListedCampaign = { ...running, state: 'stopped' }
  const bridge = campaignScene([stopped])
  const waiting = { kind: 'user', id: 'hana', state: 'pending', reason: '' } as const
  bridge.on('campaigns.get', () => ({ campaign: stopped, notSent: { rows: [waiting], count: 1 } }))
  await renderInApp(<CampaignsPage id="c2" />, bridge)
  expect((await screen.findByRole('listitem')).textContent).toContain('It was stopped before their turn')
})

test('a server that does not say whom it missed is not guessed for', async () => {
  const over: ListedCampaign = { ...running, state: 'completed' }
  const bridge = campaignScene([over])
  bridge.on('campaigns.get', () => ({ campaign: over }))
  await renderInApp(<CampaignsPage id="c2" />, bridge)
  expect(await screen.findByText('Not known')).toBeTruthy()
})

test('without a connection the list says how old it is, and nothing can be created', async () => {
  const bridge = campaignScene([draft], aConnection({ state: 'connecting', offline: true }))
  bridge.on('campaigns.list', () => ({ campaigns: [draft], asOf: Date.UTC(2026, 10, 20, 9, 0) }))
  await renderInApp(<CampaignsPage />, bridge)
  expect(await screen.findByText(/You’re offline. Last updated/)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'New campaign' }).getAttribute('aria-disabled')).toBe('true')
})

test('hostile names are shown as text, isolated', async () => {
  const name = '\u202Ereversed <img src=x> {{receiver.id}}'
  await renderInApp(<CampaignsPage />, campaignScene([{ ...draft, content: { ...content, name } }]))
  const cell = await screen.findByText((text) => text.includes('<img src=x>'))
  expect(cell.tagName).toBe('BDI')
})

test('what is typed is stored on this device, which is said, and is there again when the page is opened', async () => {
  const bridge = campaignScene()
  const { unmount } = await renderInApp(<CampaignsPage />, bridge)
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'New campaign' }))
  await user.type(screen.getByRole('textbox', { name: 'Message' }), 'Half a sent')
  expect(await screen.findByText(/Draft saved on this device/)).toBeTruthy()
  const lastKept = () => bridge.inputsOf('campaigns.keepDraft').at(-1)
  await waitFor(() => expect(lastKept()).toMatchObject({ draft: { content: { text: 'Half a sent' } } }))
  // The last letters are stored although the page is left at once.
  await user.type(screen.getByRole('textbox', { name: 'Message' }), 'ence')
  unmount()
  expect(lastKept()).toMatchObject({ draft: { content: { text: 'Half a sentence' } } })
  bridge.on('campaigns.drafts', () => ({ '': { content: { ...content, text: 'Half a sentence' }, at: KEPT_AT } }))
  await renderInApp(<CampaignsPage />, bridge)
  await user.click(await screen.findByRole('button', { name: 'Continue' }))
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' }).value).toBe('Half a sentence')
  await user.click(screen.getByRole('button', { name: 'More actions for Beta news' }))
  await user.click(screen.getByRole('menuitem', { name: 'Discard changes…' }))
  await user.click(await screen.findByRole('button', { name: 'Discard' }))
  await waitFor(() => expect(lastKept()).toEqual({}))
  expect(screen.queryByText('Your unfinished campaign is saved on this device.')).toBeNull()
})

test('a draft that another window wrote is taken over, unless somebody has just typed here', async () => {
  const bridge = campaignScene()
  const manage = { rights: [...MANAGE_RIGHTS], source: 'owner' as const }
  const elsewhere = (text: string, time: number): Promise<void> => {
    bridge.on('campaigns.drafts', () => ({ c1: { content: { ...content, text }, version: 'v1', at: KEPT_AT + time } }))
    return act(async () => bridge.change({ manage: { self: { ...manage, changes: { 'campaign-drafts': time } } } }))
  }
  await renderInApp(<CampaignsPage id="c1" />, bridge)
  const message = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
  await elsewhere('Written in the other window', 1)
  await waitFor(() => expect(message.value).toBe('Written in the other window'))
  // It is stored after a pause, which does not end here by itself.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  fireEvent.change(message, { target: { value: 'Typed here' } })
  await elsewhere('Late', 2)
  expect(message.value).toBe('Typed here')
  await act(() => vi.advanceTimersByTimeAsync(SAVE_AFTER_MS))
  expect(bridge.inputsOf('campaigns.keepDraft')).toMatchObject([{ draft: { content: { text: 'Typed here' } } }])
})

test('that a draft is stored is announced once per campaign', async () => {
  const bridge = campaignScene()
  const said: string[] = []
  onTestFinished(onAnnouncement(({ text }) => said.push(text)))
  await renderInApp(<CampaignsPage id="c1" />, bridge)
  const name = await screen.findByRole('textbox', { name: 'Name' })
  for (const times of [1, 2]) {
    await userEvent.type(name, '!')
    await waitFor(() => expect(bridge.inputsOf('campaigns.keepDraft')).toHaveLength(times))
  }
  await waitFor(() => expect(said).toHaveLength(1))
  expect(said[0]).toMatch(/^Draft saved on this device/)
})

/** A disk that is full until there is room. */
function fullDisk(bridge: ReturnType<typeof campaignScene>) {
  bridge.on('campaigns.keepDraft', refused('disk/full'))
  return { free: () => bridge.on('campaigns.keepDraft', () => ({ at: KEPT_AT })) }
}
const messageField = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })

test('a draft that cannot be stored says why, aloud too, and can be stored again by hand', async () => {
  const bridge = campaignScene()
  const said: string[] = []
  onTestFinished(onAnnouncement(({ text }) => said.push(text)))
  const disk = fullDisk(bridge)
  await renderInApp(<CampaignsPage id="c1" />, bridge)
  const name = await screen.findByRole('textbox', { name: 'Name' })
  await userEvent.type(name, '!')
  expect(await screen.findByText(/This draft isn’t saved.*free up space/)).toBeTruthy()
  await waitFor(() => expect(said).toEqual([expect.stringMatching(/^This draft isn’t saved/)]))
  disk.free()
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText(/Draft saved on this device/)).toBeTruthy()
  expect(bridge.inputsOf('campaigns.keepDraft').at(-1)).toMatchObject({ draft: { content: { name: 'Beta news!' } } })
})

test('what could not be stored is not replaced by what another window stored, and is stored with the next change', async () => {
  const bridge = campaignScene()
  const disk = fullDisk(bridge)
  await renderInApp(<CampaignsPage id="c1" />, bridge)
  const message = await messageField()
  fireEvent.change(message, { target: { value: 'Typed here' } })
  expect(await screen.findByText(/This draft isn’t saved/)).toBeTruthy()
  const manage = { rights: [...MANAGE_RIGHTS], source: 'owner' as const }
  const loads = bridge.inputsOf('campaigns.drafts').length
  bridge.on('campaigns.drafts', () => ({
    c1: { content: { ...content, text: 'Elsewhere' }, version: 'v1', at: KEPT_AT },
  }))
  await act(async () => bridge.change({ manage: { self: { ...manage, changes: { 'campaign-drafts': 1 } } } }))
  await waitFor(() => expect(bridge.inputsOf('campaigns.drafts').length).toBeGreaterThan(loads))
  expect(message.value).toBe('Typed here')
  expect(screen.getByText(/This draft isn’t saved/)).toBeTruthy()
  disk.free()
  fireEvent.change(screen.getByRole('textbox', { name: 'Name' }), { target: { value: 'News' } })
  expect(await screen.findByText(/Draft saved on this device/)).toBeTruthy()
  expect(bridge.inputsOf('campaigns.keepDraft').at(-1)).toMatchObject({
    draft: { content: { name: 'News', text: 'Typed here' } },
  })
})

test('what could not be stored is there again when the page is left and opened, and is said to be unsaved', async () => {
  const bridge = campaignScene([])
  fullDisk(bridge)
  function Pages() {
    const [isOpen, setOpen] = useState(true)
    return (
      <>
        <button onClick={() => setOpen(!isOpen)}>Turn</button>
        {isOpen ? <CampaignsPage /> : null}
      </>
    )
  }
  await renderInApp(<Pages />, bridge)
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'New campaign' }))
  await user.type(await messageField(), 'Only here')
  await user.click(screen.getByRole('button', { name: 'Turn' }))
  await user.click(screen.getByRole('button', { name: 'Turn' }))
  expect(await screen.findByText(/Your unfinished campaign isn’t saved/)).toBeTruthy()
  expect(screen.queryByText(/is saved on this device/)).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  expect((await messageField()).value).toBe('Only here')
})
