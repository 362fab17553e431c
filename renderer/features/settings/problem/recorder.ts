import type { Bridge } from '#shared/bridge/transport.ts'
import type { ProblemReport, ReportControl, ReportStep } from '#shared/bridge/problem-report.ts'
import type { ChangeSet } from '#shared/domain/changes.ts'
import type { Message } from '#shared/domain/message.ts'
import type { Settings } from '#shared/domain/settings.ts'
import { filler, nameFiller, Pseudonyms } from '#shared/rules/desktop/filler.ts'
import type { AppLanguage } from '#shared/domain/settings.ts'
import { selectConnection, selectRouteCid, selectSession, selectSettings } from '../../../store/selectors.ts'
import type { AppState, AppStore } from '../../../store/store.ts'
import { describeControl, isField, nameOf } from './controls.ts'
import type { Recorder } from './recording.ts'

/** Settings whose values are words, numbers and switches of the app. All others may hold what a person wrote. */
const SETTINGS = [
  'theme',
  'density',
  'accent',
  'messageWidth',
  'textScale',
  'motion',
  'clock',
  'weekStart',
  'speech',
  'letterKeys',
  'enterSends',
  'upEdits',
  'formattingBar',
  'noticeSeconds',
  'undoSendSeconds',
  'publishTyping',
  'publishReads',
  'publishPresence',
  'syncDrafts',
  'sidebarCollapsed',
  'sidebarWidth',
  'panelWidth',
  'autoRead',
] as const satisfies readonly (keyof Settings)[]

const MAX_STEPS = 5_000
const MAX_CHANNELS = 100
/** Of each channel, the newest. */
const MAX_MESSAGES = 30
/** The recorder's own controls. */
const OWN = '[data-recording]'

type Options = {
  readonly bridge: Pick<Bridge, 'subscribe' | 'host'>
  readonly store: AppStore
  readonly language: AppLanguage
  /** The texts of the interface in that language. */
  readonly texts: readonly string[]
  readonly now?: () => number
}

type Posted = ProblemReport['channels'][number]['messages'][number]

/** Records what is done in this window, and what its server does, until it is finished or canceled. */
export function recordProblem(options: Options): Recorder {
  const log = new StepLog(options)
  const stop = new AbortController()
  const listening = { capture: true, signal: stop.signal }
  const { bridge, store } = options
  document.addEventListener('click', (event) => log.clicked(event, 'left'), listening)
  document.addEventListener('contextmenu', (event) => log.clicked(event, 'right'), listening)
  document.addEventListener('input', (event) => log.written(event.target), listening)
  document.addEventListener('change', (event) => log.chosen(event.target), listening)
  document.addEventListener('keydown', (event) => log.pressed(event), listening)
  window.addEventListener('resize', () => log.resized(), listening)
  const unsubscribe = bridge.subscribe((push) => {
    if (push.kind === 'changes') log.changed(push.changeSet, store.getState())
  })
  const end = (): void => {
    stop.abort()
    unsubscribe()
  }
  return {
    finish() {
      end()
      return log.report()
    },
    cancel: end,
  }
}

class StepLog {
  readonly #options: Options
  readonly #names = new Pseudonyms()
  readonly #scrub: (name: string) => string
  readonly #now: () => number
  readonly #startedAt: number
  readonly #steps: ReportStep[] = []
  readonly #known = new Map<string, Pick<Message, 'text' | 'deletedAt'>>()
  readonly #begun: Omit<ProblemReport, 'steps' | 'end' | 'people'>
  readonly #people = new Map<string, string>()
  #connection: string

  constructor(options: Options) {
    const { store, texts, now = () => performance.now() } = options
    this.#options = options
    this.#now = now
    this.#startedAt = now()
    this.#scrub = nameFiller(texts)
    const state = store.getState()
    this.#connection = selectConnection(state).state
    this.#begun = this.#describe(state)
  }

  clicked(event: MouseEvent, button: 'left' | 'right'): void {
    // A key or a script clicked it: the key is recorded.
    if (button === 'left' && event.detail === 0) return
    const control = this.#control(event.target)
    if (control !== undefined)
      this.#add({ kind: 'click', at: this.#at(), control, ...(button === 'right' && { button }) })
  }

  written(target: EventTarget | null): void {
    if (!isField(target) || target instanceof HTMLSelectElement) return
    if (target instanceof HTMLInputElement && /^(?:checkbox|radio|file)$/.test(target.type)) return
    const control = this.#control(target)
    if (control === undefined) return
    const isSecret = target instanceof HTMLInputElement && target.type === 'password'
    const text = isSecret ? undefined : filler(target.value)
    const last = this.#steps.at(-1)
    if (last?.kind === 'type' && JSON.stringify(last.control) === JSON.stringify(control)) this.#steps.pop()
    this.#add({ kind: 'type', at: this.#at(), control, text })
  }

  chosen(target: EventTarget | null): void {
    const control = isField(target) ? this.#control(target) : undefined
    if (control === undefined) return
    if (target instanceof HTMLSelectElement) {
      this.#add({ kind: 'choose', at: this.#at(), control, index: Math.max(0, target.selectedIndex) })
    } else if (target instanceof HTMLInputElement && target.type === 'file') {
      this.#add({ kind: 'files', at: this.#at(), control, count: target.files?.length ?? 0 })
    }
  }

  pressed(event: KeyboardEvent): void {
    if (event.target instanceof Element && event.target.closest(OWN) !== null) return
    const key = keyOf(event)
    if (key !== undefined) this.#add({ kind: 'key', at: this.#at(), key })
  }

  resized(): void {
    if (this.#steps.at(-1)?.kind === 'window') this.#steps.pop()
    this.#add({ kind: 'window', at: this.#at(), width: window.innerWidth, height: window.innerHeight })
  }

  changed({ put, del }: ChangeSet, state: AppState): void {
    const connection = put.connection?.['self']?.state
    if (connection !== undefined && connection !== this.#connection) {
      this.#connection = connection
      this.#add({ kind: 'connection', at: this.#at(), state: connection })
    }
    for (const message of Object.values(put.messages ?? {})) this.#messageChanged(message, state)
    const { messages: _messages, connection: _connection, ...others } = put
    const rows: Record<string, number> = {}
    for (const [table, changed] of Object.entries(others)) rows[table] = Object.keys(changed).length
    for (const [table, gone] of Object.entries(del)) rows[table] = (rows[table] ?? 0) + gone.length
    if (Object.keys(rows).length > 0) this.#add({ kind: 'changes', at: this.#at(), rows })
  }

  report(): ProblemReport {
    const lists = [...document.querySelectorAll<HTMLElement>('[data-message-list]')].map(({ dataset }) => {
      const [cid = '', thread] = (dataset['messageList'] ?? '').split('/')
      return { channel: this.#names.of('c', cid), thread: thread === undefined ? undefined : this.#message(thread) }
    })
    const heading = [...document.querySelectorAll<HTMLElement>('h1')].find((each) => each.checkVisibility())
    const dialogs = document.querySelectorAll('dialog[open]').length
    return {
      ...this.#begun,
      people: [...this.#people].map(([id, name]) => ({ id, name })),
      steps: [...this.#steps],
      end: { lists, heading: heading === undefined ? undefined : this.#scrub(nameOf(heading)), dialogs },
    }
  }

  #messageChanged(message: Message, { entities }: AppState): void {
    const { id, cid, text, deletedAt, userId, attachments } = message
    const before = this.#known.get(id)
    this.#known.set(id, { text, deletedAt })
    const isNew = before === undefined && entities.messages[id] === undefined
    const by = this.#person(userId, entities)
    const at = this.#at()
    if (isNew && deletedAt === undefined) {
      const files = attachments.length === 0 ? undefined : attachments.length
      const channel = this.#names.of('c', cid)
      this.#add({ kind: 'message', at, channel, files, ...this.#posted(message, entities) })
    } else if (before !== undefined && before.deletedAt === undefined && deletedAt !== undefined) {
      this.#add({ kind: 'deleted', at, id: this.#message(id), by })
    } else if (before !== undefined && before.text !== text && deletedAt === undefined) {
      this.#add({ kind: 'edited', at, id: this.#message(id), by, text: filler(text) })
    }
  }

  /** What the report's world begins with. */
  #describe(state: AppState): Omit<ProblemReport, 'steps' | 'end' | 'people'> {
    const { host } = this.#options.bridge
    const { entities } = state
    const { userId = '' } = selectSession(state)
    const me = this.#person(userId, entities)
    const settings: Settings = selectSettings(state)
    const messages = Object.values(entities.messages).toSorted((a, b) => a.createdAt - b.createdAt)
    for (const { id, text, deletedAt } of messages) this.#known.set(id, { text, deletedAt })
    const start = selectRouteCid(state)
    const cids = (state.windows.byKey['channels']?.ids ?? []).slice(0, MAX_CHANNELS)
    return {
      format: 'parlor-problem-report',
      version: 1,
      app: host.version,
      host: host.kind,
      language: this.#options.language,
      window: { width: window.innerWidth, height: window.innerHeight },
      settings: Object.fromEntries(SETTINGS.map((name) => [name, settings[name]])),
      me,
      start: start === undefined ? undefined : this.#names.of('c', start),
      channels: cids.flatMap((cid) => {
        const channel = entities.channels[cid]
        if (channel === undefined) return []
        const own = messages.filter((one) => one.cid === cid && one.deletedAt === undefined).slice(-MAX_MESSAGES)
        const members = [userId, ...channel.directUserIds, ...own.map((one) => one.userId)]
        return {
          id: this.#names.of('c', cid),
          type: channel.type === 'team' ? ('team' as const) : ('messaging' as const),
          name: channel.directUserIds.length > 0 ? undefined : filler(channel.name),
          members: [...new Set(members.map((id) => this.#person(id, entities)))],
          messages: own.map((one) => this.#posted(one, entities)),
        }
      }),
    }
  }

  #posted({ id, userId, text, parentId }: Message, entities: AppState['entities']): Posted {
    const thread = parentId === undefined ? undefined : this.#message(parentId)
    return { id: this.#message(id), by: this.#person(userId, entities), text: filler(text), thread }
  }

  #person(id: string, { users }: AppState['entities']): string {
    const name = this.#names.of('u', id)
    this.#people.set(name, filler(users[id]?.name ?? ''))
    return name
  }

  #message(id: string): string {
    return this.#names.of('m', id)
  }

  #control(target: EventTarget | null): ReportControl | undefined {
    if (!(target instanceof Element) || target.closest(OWN) !== null) return undefined
    return describeControl(target, { names: this.#names, scrub: this.#scrub })
  }

  #at(): number {
    return Math.round(this.#now() - this.#startedAt)
  }

  #add(step: ReportStep): void {
    if (this.#steps.length < MAX_STEPS) this.#steps.push(step)
  }
}

const NAMED = /^(?:Enter|Escape|Tab|Space|Backspace|Delete|Insert|Home|End|PageUp|PageDown|Arrow\w+|F\d+)$/
/** In a text field these move or change text, which is recorded as a whole. */
const FIELD_KEYS = /^(?:Space|Backspace|Delete|Insert|Home|End|ArrowLeft|ArrowRight)$/
/** With the command key in a text field. */
const FIELD_CHORDS = /^[acvxyz]$/i

/**
 * A key as Playwright writes it; nothing for what writes text. A letter or digit alone is a key only on a row, where it is
 * a command: anywhere else it may be part of something written.
 */
function keyOf({ key, target, ctrlKey, metaKey, altKey, shiftKey, isComposing }: KeyboardEvent): string | undefined {
  if (isComposing || /^(?:Control|Shift|Alt|Meta|AltGraph|Dead|Process|CapsLock)$/.test(key)) return undefined
  const inText = isField(target) && !(target instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(target.type))
  const named = key === ' ' ? 'Space' : key
  const hasCommand = ctrlKey || metaKey
  const isNamed = NAMED.test(named)
  // With nothing focused it would show how long the words are.
  if (named === 'Space' && target === document.body) return undefined
  if (!isNamed) {
    if (!/^[!-~]$/.test(key)) return undefined
    if (hasCommand ? inText && FIELD_CHORDS.test(key) : altKey || inText || !isOnRow(target)) return undefined
  } else if (inText && FIELD_KEYS.test(named) && !hasCommand && !altKey) return undefined
  const held = [
    ctrlKey && 'Control',
    metaKey && 'Meta',
    altKey && 'Alt',
    (isNamed || hasCommand) && shiftKey && 'Shift',
  ].filter((one) => one !== false)
  return [...held, hasCommand && named.length === 1 ? named.toLowerCase() : named].join('+')
}

const isOnRow = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[data-message-id]') !== null
