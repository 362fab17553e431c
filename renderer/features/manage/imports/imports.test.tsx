import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, test } from 'vitest'
import type { ImportCheck, ImportProgress, ImportState } from '#shared/domain/imports.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { asCid, asUserId } from '#shared/lib/brand.ts'
import { createFakeBridge, type FakeBridge } from '../../../../tests/kit/fake-bridge/index.ts'
import { renderInApp } from '../../../../tests/kit/render-in-app.tsx'
import { Chip } from './Chip.tsx'
import { ImportsPage } from './ImportsPage.tsx'

const CHECK: ImportCheck = {
  figures: {
    messages: 48_212,
    known: 0,
    channels: 2,
    people: 2,
    files: 3_104,
    fileBytes: 1_900_000_000,
    replies: 6_311,
    edits: 9,
    reactions: 21_480,
    pins: 61,
    from: Date.UTC(2021, 2, 4),
    until: Date.UTC(2026, 10, 20),
  },
  left: { 'app-messages': 312, canvases: 6 },
  people: [
    { id: 'U2', name: 'Sofia Berg', messages: 3, former: true, target: 'former' },
    { id: 'U1', name: 'Ewa', messages: 1_204, former: false, target: { userId: asUserId('ewa') }, by: 'email' },
  ],
  channels: [
    { id: 'C1', name: 'general', kind: 'public', messages: 46_097, known: 0, target: 'new' },
    { id: 'C2', name: 'test-bots', kind: 'public', messages: 2_115, known: 0, target: 'new' },
  ],
  here: {
    people: [
      { userId: asUserId('ewa'), name: 'Ewa' },
      { userId: asUserId('bo'), name: 'Bo' },
    ],
    channels: [{ cid: asCid('team:random'), name: 'random' }],
  },
  neededBytes: 2_100_000_000,
  freeBytes: 61_000_000_000,
}
const REPORT = {
  step: 'done',
  stopped: false,
  finishedAt: 1,
  report: {
    messages: 46_097,
    channels: 1,
    people: 2,
    files: 3,
    left: { canvases: 6 },
    skipped: [{ name: '#test-bots', messages: 2_115 }],
    first: { cid: asCid('team:general'), name: '#general' },
  },
} as const satisfies ImportProgress
const RUNNING = { step: 'running', done: 71, total: 100, channel: 'general' } as const

const stateOf = (progress: ImportProgress): ImportState => ({ progress, source: 'slack', name: 'cairn.zip' })
const checked = (over: Partial<ImportCheck> = {}): ImportState =>
  stateOf({ step: 'checked', check: { ...CHECK, ...over } })

async function opened(state: ImportState, prepare: (bridge: FakeBridge) => void = () => undefined) {
  const bridge = createFakeBridge({
    rows: { manage: { self: { rights: ['imports'], source: 'owner', changes: {} } } },
  })
  bridge.on('imports.state', () => state)
  prepare(bridge)
  await renderInApp(<ImportsPage />, bridge)
  await screen.findByRole('list', { name: 'Steps' })
  return bridge
}

/** The state is this from the call on. */
function follows(
  bridge: FakeBridge,
  call: `imports.${'check' | 'start' | 'pause' | 'stop' | 'undo'}`,
  state: ImportState,
) {
  bridge.on(call, () => {
    bridge.on('imports.state', () => state)
    return state
  })
}

/** Drops files, and folders by the names of what is in them. */
function dropExport(dropped: readonly (readonly [string, (readonly string[])?])[]): void {
  const folder = (name: string, inside: readonly string[]) => {
    const file = (each: string) => (got: (one: File) => void) => got(new File(['x'], each))
    const pages = [inside.map((each) => ({ isDirectory: false, name: each, file: file(each) })), []]
    return {
      isDirectory: true,
      name,
      createReader: () => ({ readEntries: (got: (page: unknown) => void) => got(pages.shift()) }),
    }
  }
  const items = dropped.map(([name, inside]) => ({
    kind: 'file',
    webkitGetAsEntry: () => (inside === undefined ? { isDirectory: false, name } : folder(name, inside)),
    getAsFile: () => new File(['x'], name),
  }))
  const place = screen.getByRole('group', { name: /export|ZIP|file/i })
  fireEvent.drop(place, { dataTransfer: { types: ['Files'], items, files: [] } })
}

/** The step that a screen reader hears as the current one. */
const currentStep = () =>
  screen.getByRole('list', { name: 'Steps' }).querySelector('[aria-current="step"]')?.textContent

afterEach(cleanup)

describe('the file', () => {
  test('is one of four kinds, chosen with the arrows, each with how to get it', async () => {
    await opened({ progress: { step: 'none' } })
    const slack = screen.getByRole('radio', { name: /^Slack/ })
    slack.focus()
    await userEvent.keyboard('{ArrowDown}{ArrowDown}')

    expect(screen.getByRole('radio', { name: /^Telegram/ }).getAttribute('aria-checked')).toBe('true')
    expect(screen.getByText(/Machine-readable JSON/)).toBeTruthy()
    expect(currentStep()).toContain('File')
  })

  test('is handed over in pieces, then read', async () => {
    const bridge = await opened({ progress: { step: 'none' } }, (on) => {
      on.on('imports.begin', () => ({ id: 'x1' }))
      on.on('imports.piece', () => undefined)
      follows(on, 'imports.check', checked())
    })
    const input = document.querySelector<HTMLInputElement>('[data-choose="file"]')
    if (!input) throw new Error('there is no field')
    await userEvent.upload(input, new File([new Uint8Array(600_000)], 'cairn.zip'))
    await screen.findByRole('heading', { name: 'Ready to import' })

    expect(bridge.inputsOf('imports.begin')).toEqual([{ source: 'slack', name: 'cairn.zip' }])
    const pieces = bridge.inputsOf('imports.piece') as { id: string; path: string }[]
    expect(pieces.map(({ id, path }) => `${id} ${path}`)).toEqual(['x1 cairn.zip', 'x1 cairn.zip'])
  })

  test('that cannot be copied is put away, and why is said', async () => {
    const bridge = await opened({ progress: { step: 'none' } }, (on) => {
      on.on('imports.begin', () => ({ id: 'x1' }))
      on.on('imports.piece', () => {
        throw new AppError('data/disk-full')
      })
      on.on('imports.close', () => ({ progress: { step: 'none' } }))
    })
    const input = document.querySelector<HTMLInputElement>('[data-choose="file"]')
    if (!input) throw new Error('there is no field')
    await userEvent.upload(input, new File(['x'], 'cairn.zip'))

    expect(await screen.findByRole('alert')).toBeTruthy()
    expect(bridge.inputsOf('imports.close')).toHaveLength(1)
  })

  test.each([
    ['a folder', [['Chat', ['result.json']]], ['result.json']],
    [
      'files and folders',
      [['a.json'], ['One', ['b.json']], ['Two', ['b.json']]],
      ['a.json', 'One/b.json', 'Two/b.json'],
    ],
  ] as const)('that is %s is taken whole when it is dropped', async (_what, dropped, paths) => {
    const bridge = await opened({ progress: { step: 'none' } }, (on) => {
      on.on('imports.begin', () => ({ id: 'x1' }))
      on.on('imports.piece', () => undefined)
      follows(on, 'imports.check', checked())
    })
    dropExport(dropped)
    await screen.findByRole('heading', { name: 'Ready to import' })

    expect((bridge.inputsOf('imports.piece') as { path: string }[]).map(({ path }) => path)).toEqual(paths)
  })

  test('that is refused says why, and what to do', async () => {
    await opened(stateOf({ step: 'refused', refusal: { reason: 'not-one', missing: 'channels.json' } }))

    const notice = within(await screen.findByRole('alert'))
    expect(notice.getByText('This isn’t a Slack export')).toBeTruthy()
    expect(notice.getByText(/doesn’t contain channels\.json/)).toBeTruthy()
    expect(notice.getByRole('button', { name: 'Choose another' })).toBeTruthy()
  })

  test('that is being read counts, and can be left', async () => {
    const bridge = await opened(stateOf({ step: 'reading', messages: 31_440, share: 0.4 }), (on) => {
      follows(on, 'imports.stop', { progress: { step: 'none' } })
    })
    expect(await screen.findByText('31,440 messages so far')).toBeTruthy()
    expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('40')
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(bridge.inputsOf('imports.stop')).toHaveLength(1))
  })
})

describe('the check', () => {
  test('shows what comes and what does not, and its heading has the focus', async () => {
    await opened(checked())
    const heading = await screen.findByRole('heading', { name: 'Ready to import' })

    expect(document.activeElement).toBe(heading)
    expect(within(screen.getByRole('region', { name: 'What’s imported' })).getByText('21,480')).toBeTruthy()
    expect(within(screen.getByRole('region', { name: 'Left out or changed' })).getByText('312')).toBeTruthy()
    expect(screen.getByText('1 found, 1 to check')).toBeTruthy()
    expect(screen.getByText('found by email')).toBeTruthy()
    expect(currentStep()).toContain('Check')
  })

  test('starts with what was chosen, and counts what was left out', async () => {
    const bridge = await opened(checked(), (on) => follows(on, 'imports.start', stateOf(RUNNING)))
    await screen.findByRole('button', { name: 'Import 48,212 messages' })
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Who Sofia Berg is here' }), 'Bo')
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Destination of general' }), 'Add to #random')
    await userEvent.click(screen.getByRole('checkbox', { name: 'Import test-bots' }))

    expect(screen.getByText('1 of 2 chosen')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Import 46,097 messages' }))
    await screen.findByRole('heading', { name: 'Importing' })
    expect(bridge.inputsOf('imports.start')).toEqual([
      {
        people: [{ id: 'U2', target: { userId: 'bo' } }],
        channels: [
          { id: 'C1', target: { cid: 'team:random' } },
          { id: 'C2', target: 'skip' },
        ],
      },
    ])
  })

  test('does not start without the space it needs', async () => {
    const bridge = await opened(checked({ freeBytes: 1_000_000 }))
    const start = await screen.findByRole('button', { name: /^Import / })
    fireEvent.click(start)

    expect(start.getAttribute('aria-disabled')).toBe('true')
    expect(screen.getByText(/Free up space first/)).toBeTruthy()
    expect(bridge.inputsOf('imports.start')).toEqual([])
  })

  test('of a file that is here already offers nothing to import', async () => {
    await opened(checked({ figures: { ...CHECK.figures, known: 48_212 }, earlier: Date.UTC(2026, 10, 20, 12) }))

    expect(await screen.findByText('Nothing new in this file')).toBeTruthy()
    expect(screen.getByText(/All 48,212 messages were imported already/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: /^Import / })).toBeNull()
  })
})

describe('the import', () => {
  test('can be paused, continued, and stopped after a question', async () => {
    const paused = stateOf({ ...RUNNING, step: 'paused' })
    const bridge = await opened(stateOf(RUNNING), (on) => {
      follows(on, 'imports.pause', paused)
      follows(on, 'imports.stop', stateOf({ ...REPORT, stopped: true }))
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Pause' }))
    expect(await screen.findByRole('button', { name: 'Continue' })).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Stop…' }))
    await userEvent.click(
      within(screen.getByRole('alertdialog', { name: 'Stop the import?' })).getByRole('button', {
        name: 'Stop import',
      }),
    )
    expect(await screen.findByRole('heading', { name: 'Import stopped' })).toBeTruthy()
    expect(bridge.inputsOf('imports.stop')).toHaveLength(1)
  })

  test('that waits for space says how much is done', async () => {
    await opened(stateOf({ ...RUNNING, step: 'paused', problem: 'disk-full' }))

    expect(await screen.findByText('The disk is full')).toBeTruthy()
    expect(screen.getByText(/^71 messages are imported/)).toBeTruthy()
  })

  test('is followed in the title strip', async () => {
    const bridge = createFakeBridge({
      rows: { manage: { self: { rights: ['imports'], source: 'owner', changes: {} } } },
    })
    bridge.on('imports.state', () => stateOf(RUNNING))
    await renderInApp(<Chip />, bridge)

    expect(await screen.findByRole('button', { name: 'Importing, 71%' })).toBeTruthy()
  })
})

describe('the report', () => {
  test('says what came and what was left out, and is saved', async () => {
    const bridge = await opened(stateOf(REPORT), (on) =>
      on.on('imports.saveReport', () => ({ saved: { fileName: 'import.csv', folderName: 'Downloads', messages: 1 } })),
    )
    expect(await screen.findByText('46,097 messages in 1 channel, from 2 people.')).toBeTruthy()
    expect(screen.getByText('#test-bots, left out by you')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Open #general' })).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Save report' }))
    expect(await screen.findByText('Saved as import.csv')).toBeTruthy()
    expect(bridge.inputsOf('imports.saveReport')).toHaveLength(1)
  })

  test('says when a part of it could not be undone', async () => {
    await opened(stateOf({ ...REPORT, stopped: true, undoFailed: true }))
    expect(screen.getByText('Couldn’t undo all of it')).toBeTruthy()
  })

  test('is undone after a question that says what is removed and what stays', async () => {
    const bridge = await opened(stateOf(REPORT), (on) => follows(on, 'imports.undo', { progress: { step: 'none' } }))
    await userEvent.click(await screen.findByRole('button', { name: 'Undo import…' }))
    const dialog = within(screen.getByRole('alertdialog', { name: 'Undo the import?' }))

    expect(dialog.getByText(/^46,097 imported messages are removed/)).toBeTruthy()
    expect(dialog.getByText('Messages that someone has replied to here stay.')).toBeTruthy()
    await userEvent.click(dialog.getByRole('button', { name: 'Undo import' }))
    await waitFor(() => expect(bridge.inputsOf('imports.undo')).toHaveLength(1))
  })
})

describe('without the permission', () => {
  test('the page says which one is missing, and asks for nothing', async () => {
    const bridge = createFakeBridge({ rows: { manage: { self: { rights: ['review'], source: 'role', changes: {} } } } })
    await renderInApp(<ImportsPage />, bridge)

    expect(await screen.findByText('You can’t import here')).toBeTruthy()
    expect(screen.getByText(/missing permission: “Import history”/)).toBeTruthy()
    expect(bridge.inputsOf('imports.state')).toEqual([])
  })

  test('one that was taken away meanwhile is said as well', async () => {
    const bridge = createFakeBridge({
      rows: { manage: { self: { rights: ['imports'], source: 'owner', changes: {} } } },
    })
    bridge.on('imports.state', () => {
      throw new AppError('imports/not-allowed')
    })
    await act(() => renderInApp(<ImportsPage />, bridge))

    expect(await screen.findByText('You can’t import here')).toBeTruthy()
  })
})
