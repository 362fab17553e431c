import type { Bridge } from '#shared/bridge/transport.ts'
import {
  REPORT_LIMITS,
  type ProblemReport,
  type ReportControl,
  type ReportStep,
} from '#shared/bridge/problem-report.ts'
import type { ChangeSet } from '#shared/domain/changes.ts'
import type { Message } from '#shared/domain/message.ts'
import type { Settings, AppLanguage } from '#shared/domain/settings.ts'
import { nameFiller, Pseudonyms, filler } from '#shared/rules/desktop/filler.ts'
import { cutText } from '#shared/rules/messages/text.ts'
import { composerKey } from '#shared/domain/draft.ts'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import { accountKeyOf } from '../../../store/accounts.ts'
import { selectConnection, selectRouteCid, selectSettings, selectSession } from '../../../store/selectors.ts'
import type { AppState, AppStore } from '../../../store/store.ts'
import type { Recorder } from './RecordingChip.tsx'

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

/** The recorder's own controls. */
const OWN = '[data-recording]'

type Options = {
  readonly bridge: Pick<Bridge, 'subscribe' | 'host'>
  readonly store: AppStore
  readonly language: AppLanguage
  /** The texts of the interface in that language. */
  readonly texts: readonly string[]
  readonly now?: () => number
  /** Epoch milliseconds. */
  readonly clock?: () => number
}

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
  readonly #world: ReportWorld
  readonly #scrub: (name: string) => string
  readonly #now: () => number
  readonly #startedAt: number
  readonly #steps: ReportStep[] = []
  readonly #known = new Map<string, Pick<Message, 'text' | 'deletedAt'>>()
  readonly #begun: Pick<ProblemReport, 'app' | 'format' | 'host' | 'language' | 'settings' | 'version' | 'window'>
  readonly #account: string
  #connection: string
  /** A letter or digit on a row: only once the app has taken it as a command it is a key, else it is typed somewhere. */
  #undecided: { readonly event: KeyboardEvent; readonly at: number; readonly key: string } | undefined

  constructor(options: Options) {
    const { store, texts, now = () => performance.now(), clock = () => Date.now() } = options
    this.#options = options
    this.#now = now
    this.#startedAt = now()
    this.#scrub = nameFiller(texts)
    const state = store.getState()
    this.#account = accountKeyOf(state)
    this.#connection = selectConnection(state).state
    for (const { id, text, deletedAt } of Object.values(state.entities.messages))
      this.#known.set(id, { text, deletedAt })
    this.#world = new ReportWorld(state, selectRouteCid(state), clock())
    this.#begun = begunOf(options, selectSettings(state))
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
    const text = isSecret ? undefined : shortFiller(target.value)
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
    if (key === undefined) return
    const at = this.#at()
    this.#settle()
    if (key.length === 1) this.#undecided = { event, at, key }
    else this.#add({ kind: 'key', at, key })
  }

  resized(): void {
    if (this.#steps.at(-1)?.kind === 'window') this.#steps.pop()
    this.#add({ kind: 'window', at: this.#at(), width: window.innerWidth, height: window.innerHeight })
  }

  changed({ put, del }: ChangeSet, state: AppState): void {
    if (accountKeyOf(state) !== this.#account) return
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
    this.#settle()
    const lists = [...document.querySelectorAll<HTMLElement>('[data-message-list]')].map(({ dataset }) => {
      const [cid = '', thread] = (dataset['messageList'] ?? '').split('/')
      return {
        channel: this.#world.names.of('c', cid),
        thread: thread === undefined ? undefined : this.#message(thread),
      }
    })
    const heading = [...document.querySelectorAll<HTMLElement>('h1')].find((each) => each.checkVisibility())
    const dialogs = document.querySelectorAll('dialog[open]').length
    const world = this.#world.describe(this.#options.store.getState().entities)
    return {
      ...this.#begun,
      ...world,
      steps: [...this.#steps],
      end: { lists, heading: heading && cutText(this.#scrub(nameOf(heading)), REPORT_LIMITS.name / 2), dialogs },
    }
  }

  #messageChanged(message: Message, { entities, windows }: AppState): void {
    const { id, cid, text, deletedAt, userId, attachments } = message
    const before = this.#known.get(id)
    this.#known.set(id, { text, deletedAt })
    // Written in this window, which shows it before main has it.
    const isForeseen = before === undefined && windows.foreseen.some((each) => each.id === id)
    const isUnknown = isForeseen || (before === undefined && entities.messages[id] === undefined)
    if (isUnknown && !isForeseen && this.#world.loaded(message, entities)) return
    const by = this.#world.person(userId, entities)
    const at = this.#at()
    if (isUnknown && deletedAt === undefined) {
      const files = attachments.length === 0 ? undefined : attachments.length
      const channel = this.#world.names.of('c', cid)
      this.#add({ kind: 'message', at, channel, files, ...this.#world.posted(message, entities) })
    } else if (before !== undefined && before.deletedAt === undefined && deletedAt !== undefined) {
      this.#add({ kind: 'deleted', at, id: this.#message(id), by })
    } else if (before !== undefined && before.text !== text && deletedAt === undefined) {
      this.#add({ kind: 'edited', at, id: this.#message(id), by, text: shortFiller(text) })
    }
  }

  #message(id: string): string {
    return this.#world.names.of('m', id)
  }

  #control(target: EventTarget | null): ReportControl | undefined {
    if (!(target instanceof Element) || target.closest(OWN) !== null) return undefined
    return describeControl(target, { names: this.#world.names, scrub: this.#scrub })
  }

  #at(): number {
    return Math.round(this.#now() - this.#startedAt)
  }

  #settle(): void {
    const { event, at, key } = this.#undecided ?? {}
    this.#undecided = undefined
    if (event?.defaultPrevented === true && at !== undefined && key !== undefined) this.#add({ kind: 'key', at, key })
  }

  #add(step: ReportStep): void {
    if (this.#undecided !== undefined) this.#settle()
    // A report is of one account: what is done in another while the window shows that is left out.
    const isHere = accountKeyOf(this.#options.store.getState()) === this.#account
    if (isHere && this.#steps.length < REPORT_LIMITS.steps) this.#steps.push(step)
  }
}

const begunOf = ({ bridge: { host }, language }: Options, settings: Settings) => ({
  format: 'parlor-problem-report' as const,
  version: 1 as const,
  app: host.version,
  host: host.kind,
  language,
  window: { width: window.innerWidth, height: window.innerHeight },
  settings: Object.fromEntries(SETTINGS.map((name) => [name, settings[name]])),
})

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

/** What a control can be found by again, without anything of the person's world. */
type Describe = { readonly names: Pseudonyms; readonly scrub: (name: string) => string }

const PLACES = '[data-message-id], [data-channel-item], [data-composer]'
const CONTROLS = 'button, a[href], input, textarea, select, summary, [role], [tabindex]'

/** Longer ones are no names. */
const LONGEST_NAME = 500

/** The control that was used, by the conversation or message around it, and its role and name. */
function describeControl(target: Element, { names, scrub }: Describe): ReportControl | undefined {
  const place = target.closest<HTMLElement>(PLACES)
  const inside = place === null ? undefined : insideOf(place, names)
  const element = target.closest<HTMLElement>(CONTROLS)
  if (place !== null && (element === null || element === place || element.contains(place))) return { inside }
  if (element === null) return undefined
  const role = roleOf(element)
  const shown = (each: HTMLElement): string => {
    const name = scrub(nameOf(each))
    // So much text is what it contains.
    return name.length > LONGEST_NAME ? '' : name
  }
  const name = shown(element)
  const scope = place ?? document
  const alike = [...scope.querySelectorAll<HTMLElement>(CONTROLS)].filter(
    (each) => each.checkVisibility() && roleOf(each) === role && (name === '' || shown(each) === name),
  )
  return { inside, role, name: name === '' ? undefined : name, nth: Math.max(0, alike.indexOf(element)) }
}

function insideOf({ dataset }: HTMLElement, names: Pseudonyms): ReportControl['inside'] {
  const { messageId, channelItem, composer = '' } = dataset
  if (messageId !== undefined) return { kind: 'message', id: names.of('m', messageId) }
  if (channelItem !== undefined) return { kind: 'channel', id: names.of('c', channelItem) }
  const [cid = '', thread] = composer.split('/')
  const isThread = thread !== undefined && composerKey(asCid(cid), asMessageId(thread)) === composer
  return { kind: 'composer', id: names.of('c', cid), thread: isThread ? names.of('m', thread) : undefined }
}

const ROLES: Readonly<Record<string, string>> = {
  BUTTON: 'button',
  A: 'link',
  TEXTAREA: 'textbox',
  SELECT: 'combobox',
  SUMMARY: 'summary',
}
const INPUT_ROLES: Readonly<Record<string, string>> = {
  checkbox: 'checkbox',
  radio: 'radio',
  search: 'searchbox',
  range: 'slider',
  number: 'spinbutton',
  button: 'button',
  submit: 'button',
}

function roleOf(element: HTMLElement): string {
  const given = element.getAttribute('role')?.split(' ')[0]
  if (given !== undefined && /^[a-z]+$/.test(given)) return given
  if (element instanceof HTMLInputElement) return INPUT_ROLES[element.type] ?? 'textbox'
  return ROLES[element.tagName] ?? 'generic'
}

/** The accessible name, as far as Parlor's own controls need it. */
function nameOf(element: HTMLElement): string {
  const labelled = (element.getAttribute('aria-labelledby') ?? '')
    .split(/\s+/)
    .flatMap((id) => (id === '' ? [] : (document.getElementById(id) ?? [])))
  if (labelled.length > 0) return oneLine(labelled.map(contentOf).join(' '))
  const label = element.getAttribute('aria-label')
  if (label !== null && label !== '') return oneLine(label)
  if (isField(element)) return oneLine(Array.from(element.labels ?? [], contentOf).join(' ') || element.title)
  return oneLine(contentOf(element))
}

function contentOf(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? ''
  if (!(node instanceof Element) || node.getAttribute('aria-hidden') === 'true') return ''
  if (node instanceof HTMLImageElement) return node.alt
  // The keys of an action are not its name, and a person may have chosen others.
  if (node.tagName === 'KBD') return ''
  return node.getAttribute('aria-label') ?? Array.from(node.childNodes, contentOf).join(' ')
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement
const isField = (element: EventTarget | null): element is Field =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement

const MAX_CHANNELS = 100
/** Of each channel, the newest; more if an older one was used. */
const MAX_MESSAGES = 30
/** Of all channels together. */
const MAX_HELD = 5_000
/** Server and device may disagree by this much about the time. */
const CLOCKS_DIFFER_MS = 60_000

type Entities = AppState['entities']
type ReportChannel = ProblemReport['channels'][number]
type Posted = ReportChannel['messages'][number]
type World = Pick<ProblemReport, 'me' | 'people' | 'channels' | 'start'>

/** Filler that a report can hold: a character may become longer. */
const shortFiller = (text: string): string => cutText(filler(text), REPORT_LIMITS.text / 2)

/**
 * What there was before a recording began, without anything of it: people, channels and messages under pseudonyms, their
 * texts as filler. Messages that a window loads later were there before too.
 */
class ReportWorld {
  readonly names = new Pseudonyms()
  readonly #people = new Map<string, string>()
  readonly #channels = new Map<string, Omit<ReportChannel, 'messages'>>()
  readonly #messages = new Map<string, Message>()
  readonly #me: string
  readonly #start: string | undefined
  /** Messages up to this time of the server were there before. */
  readonly #beganAt: number

  constructor(state: AppState, start: string | undefined, now: number) {
    const { entities } = state
    this.#me = this.person(selectSession(state).userId ?? '', entities)
    this.#start = start === undefined ? undefined : this.names.of('c', start)
    const messages = Object.values(entities.messages).toSorted((a, b) => a.createdAt - b.createdAt)
    const times = [messages.at(-1)?.createdAt, ...Object.values(entities.channels).map((each) => each.lastMessageAt)]
    this.#beganAt = Math.max(now - CLOCKS_DIFFER_MS, ...times.map((time) => time ?? 0))
    for (const cid of (state.windows.byKey['channels']?.ids ?? []).slice(0, MAX_CHANNELS))
      this.#addChannel(cid, entities)
    for (const message of messages.toReversed()) this.#hold(message)
  }

  /** Whether a message that the window did not know was there before; then it is a part of the world. */
  loaded(message: Message, entities: Entities): boolean {
    if (message.createdAt > this.#beganAt) return false
    this.#addChannel(message.cid, entities)
    this.#hold(message)
    return true
  }

  person(id: string, { users }: Entities): string {
    const name = this.names.of('u', id)
    if (this.#people.has(name) || this.#people.size < REPORT_LIMITS.people)
      this.#people.set(name, cutText(filler(users[id]?.name ?? ''), REPORT_LIMITS.name / 2))
    return name
  }

  posted({ id, userId, text, parentId }: Message, entities: Entities): Posted {
    const thread = parentId === undefined ? undefined : this.names.of('m', parentId)
    return { id: this.names.of('m', id), by: this.person(userId, entities), text: shortFiller(text), thread }
  }

  describe(entities: Entities): World {
    const held = [...this.#messages.values()].toSorted((a, b) => a.createdAt - b.createdAt)
    const channels = [...this.#channels].map(([cid, channel]) => {
      const own = held.filter((one) => one.cid === cid)
      const used = own.findIndex(({ id }) => this.names.knows('m', id))
      const newest = Math.max(0, own.length - MAX_MESSAGES)
      const messages = own.slice(used < 0 ? newest : Math.min(used, newest)).map((one) => this.posted(one, entities))
      return { ...channel, members: [...new Set([...channel.members, ...messages.map(({ by }) => by)])], messages }
    })
    const people = [...this.#people].map(([id, name]) => ({ id, name }))
    return { me: this.#me, people, start: this.#start, channels }
  }

  #addChannel(cid: string, entities: Entities): void {
    const channel = entities.channels[cid]
    if (channel === undefined || this.#channels.has(cid) || this.#channels.size >= REPORT_LIMITS.channels) return
    const isDirect = channel.directUserIds.length > 0
    this.#channels.set(cid, {
      id: this.names.of('c', cid),
      type: channel.type === 'team' ? 'team' : 'messaging',
      name: isDirect ? undefined : cutText(filler(channel.name), REPORT_LIMITS.name / 2),
      ...(isDirect && { direct: true }),
      members: [this.#me, ...channel.directUserIds.map((id) => this.person(id, entities))],
    })
  }

  #hold(message: Message): void {
    const isWanted = message.deletedAt === undefined && this.#channels.has(message.cid)
    if (isWanted && this.#messages.size < MAX_HELD) this.#messages.set(message.id, message)
  }
}
