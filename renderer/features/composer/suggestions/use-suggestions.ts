import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { shallowEqual } from 'react-redux'
import { LOCAL_MEMBER_SEARCH_BELOW, SUGGESTION_DEBOUNCE_MS, SUGGESTION_PAGE } from '#shared/constants.ts'
import type { BroadcastMention } from '#shared/domain/message.ts'
import type { UserId } from '#shared/lib/brand.ts'
import type { ChannelCommand, CommandBar } from '#shared/rules/composer/commands.ts'
import type { ComposerState } from '../../../store/composers/composers.ts'
import { useFormats, useLanguage } from '../../../i18n/index.ts'
import { codeOf, useCode } from '../../../lib/page/part.tsx'
import {
  type SettledChannel,
  useAppSelector,
  useAppStore,
  useConnection,
  useEngine,
  useMe,
  useSetting,
  useUser,
} from '../../../store/hooks.ts'
import { selectNameable } from '../../../store/selectors.ts'
import { type Emoji, selectCustomEntries } from '../../emoji/index.ts'
import { editField, typeText } from '../field/Field.tsx'
import { createSelectPeople, selectSpeakers, type Place } from '../selectors.ts'
import { isInsideFence } from '../field/shortcuts.ts'
import type { SnippetNames, MentionMatch } from './matching.ts'
import { offeredIn, type Person } from './mentions.ts'
import { COMMAND_USES, barHere } from '../send/own-commands.ts'

export type Suggestion =
  | { readonly kind: 'person'; readonly id: string; readonly insert: string; readonly match: MentionMatch }
  | { readonly kind: 'emoji'; readonly id: string; readonly insert: string; readonly emoji: Emoji }
  | {
      readonly kind: 'command'
      readonly id: string
      readonly insert: string
      readonly command: ChannelCommand
      /** Why the command is not available. */
      readonly bar: CommandBar | undefined
    }
  | { readonly kind: 'broadcast'; readonly id: string; readonly insert: string; readonly broadcast: BroadcastMention }
  | {
      readonly kind: 'channel'
      readonly id: string
      readonly insert: string
      readonly name: string
      readonly isPrivate: boolean
    }
  | { readonly kind: 'snippet'; readonly id: string; readonly insert: string; readonly name: string }
  | {
      readonly kind: 'language'
      readonly id: string
      readonly insert: string
      readonly name: string
      readonly label: string
    }

export type Suggestions = {
  readonly items: readonly Suggestion[]
  readonly kind: Token['kind'] | undefined
  readonly selected: number
  readonly select: (index: number) => void
  readonly take: (index: number) => void
  /** Handles a key of the open list; true if it did. */
  readonly onKey: (key: string) => boolean
  /** Opens the list of people at a bare `@`. */
  readonly openPeople: () => void
  /** Opens the list of commands; text already written becomes the arguments. */
  readonly openCommands: () => void
  /** Everyone who can be mentioned here. */
  readonly people: readonly Person[]
}

type Input = {
  readonly place: Place
  readonly channel: SettledChannel
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly composer: ComposerState
  readonly focused: boolean
}

type Matching = typeof import('./matching.ts')

/** What finds the items of the list: it is wanted once a token is typed. */
export const MATCHING = codeOf(() => import('./matching.ts'))

/**
 * The list above the composer: people after `@`, channels after `#`, emoji after `:`, commands after a leading `/`,
 * snippets after `;;`. See docs/wire.md 7.18.
 */
export function useSuggestions({ place, channel, field, composer, focused }: Input): Suggestions {
  const { text, caret } = composer
  const [bareAt, setBareAt] = useState<number>()
  const token = useMemo(() => tokenAt(text, caret) ?? bareToken(text, caret, bareAt), [text, caret, bareAt])
  const named = token?.kind === 'mention' ? token.query : ''
  const { people, isAsked } = usePeople(place, channel, {
    wanted: token?.kind === 'mention' || text.includes('@'),
    named,
  })
  const [closedAt, setClosedAt] = useState<string>()
  const where = token && `${token.kind} ${token.from}`
  const open = focused && token !== undefined && closedAt !== where
  const found = useFound({ place, channel, composer, people, isAsked }, open ? token : undefined)
  const [picked, setPicked] = useState({ query: '', index: 0 })
  const query = `${where ?? ''} ${token?.query ?? ''}`
  const items = useSteady(query, found ?? NOTHING)
  const selected = picked.query === query ? Math.min(picked.index, Math.max(0, items.length - 1)) : 0
  const select = (index: number): void => setPicked({ query, index })

  const hold = useHeldKey(field, open ? query : undefined, found === undefined)

  const take = (index: number): void => {
    const item = items[index]
    if (item === undefined || token === undefined || field.current === null) return
    if (item.kind === 'command' && item.bar !== undefined) return
    const end = token.from + item.insert.length
    setBareAt(undefined)
    setClosedAt(where)
    editField(field.current, { from: token.from, to: caret, insert: item.insert, selectFrom: end, selectTo: end })
  }

  const onKey = (key: string): boolean => {
    if (items.length === 0) return hold(key)
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
    if (step !== 0) select((selected + step + items.length) % items.length)
    else if (key === 'Enter' && isWhole(items[selected], token)) return false
    else if (key === 'Enter' || key === 'Tab') take(selected)
    else if (key === 'Escape') setClosedAt(where)
    else return false
    return true
  }

  const openPeople = (): void => {
    if (field.current === null) return
    const { selectionStart: from, selectionEnd: to, value } = field.current
    const insert = from > 0 && !/\s/.test(value[from - 1] ?? '') ? ' @' : '@'
    const at = from + insert.length - 1
    setClosedAt(undefined)
    setBareAt(at)
    editField(field.current, { from, to, insert, selectFrom: at + 1, selectTo: at + 1 })
  }

  const openCommands = (): void => {
    if (field.current === null) return
    const name = /^\/\S*/u.exec(field.current.value)?.[0] ?? ''
    const end = Math.max(1, name.length)
    setClosedAt(undefined)
    setBareAt(0)
    editField(field.current, { from: 0, to: 0, insert: name === '' ? '/' : '', selectFrom: end, selectTo: end })
  }

  const kind = open ? token?.kind : undefined
  return { items, kind, selected, select, take, onKey, openPeople, openCommands, people }
}

type Found = Pick<Input, 'place' | 'channel' | 'composer'> & People

/** What there is for a token; `undefined` until the code that finds it is loaded, and what it looks through, if it matters. */
function useFound(
  { place, channel, composer, people, isAsked }: Found,
  token: Token | undefined,
): readonly Suggestion[] | undefined {
  const { text } = composer
  const editing = composer.editing !== undefined
  const quoting = composer.quotedId !== undefined
  const store = useAppStore()
  const formats = useFormats()
  const matching = useCode(MATCHING, token !== undefined)
  const unicode = useUnicodeEmoji(matching, token?.kind === 'emoji')
  const custom = useAppSelector(selectCustomEntries)
  const book = useMemo(() => [...custom, ...(unicode ?? [])], [custom, unicode])
  const snippets = useSetting('snippets')
  const names = useSnippetNames(channel)
  const uses = useCommandUses(token?.kind === 'command')
  const offered = useMemo(() => offeredIn(text, people), [text, people])
  const speakers = useSpeakers(place, token?.kind === 'mention')
  const here = useMemo(() => ({ channel, text, speakers, formats }), [channel, text, speakers, formats])
  const bars = useMemo(() => barHere(channel, editing, quoting), [channel, editing, quoting])
  const found = useMemo(() => {
    if (token === undefined) return NOTHING
    if (matching === undefined) return undefined
    const { kind, query } = token
    if (kind === 'command') return matching.commandsFor(query, here, bars, uses)
    if (kind === 'channel') return matching.channelsFor(query, selectNameable(store.getState()), formats)
    if (kind === 'snippet') return matching.snippetsFor(query, snippets, names, formats)
    if (kind === 'language') return matching.languagesFor(query)
    if (kind === 'mention') return matching.peopleFor(query, offered, here)
    const emoji = matching.emojiFor(query, book)
    return unicode === undefined && emoji.length === 0 ? undefined : emoji
  }, [token, matching, here, bars, uses, store, formats, snippets, names, unicode, book, offered])
  /** A name that nobody has: nobody has one that begins with it either. */
  const [unknown, setUnknown] = useState<string>()
  if (token?.kind !== 'mention' || token.query === '' || found?.length !== 0) return found
  if (unknown !== undefined && token.query.startsWith(unknown)) return found
  if (isAsked) return undefined
  setUnknown(token.query)
  return found
}

/** How long a key waits for the list at most, once its code is loaded, and how long after an answer the people it names are in the store. */
const [HOLD_MS, STORED_MS] = [1_000, 100]

/**
 * Holds Enter or Tab that is pressed while the list is loading, and presses it once there is a list, or nothing to list:
 * it means then what it would have meant a moment later. What is done before that takes it back. Returns whether a key
 * is held.
 *
 * @param query what the list is asked for; `undefined` while it is closed
 */
function useHeldKey(field: Input['field'], query: string | undefined, isLoading: boolean): (key: string) => boolean {
  const held = useRef<{ readonly key: string; readonly query: string }>(undefined)
  /** A list that cannot be loaded, or takes too long: keys mean what they mean without it. */
  const [missed, setMissed] = useState<string>()
  const isWaiting = query !== undefined && isLoading && missed !== query
  useEffect(() => {
    const last = held.current
    if (isWaiting || last === undefined) return
    held.current = undefined
    if (last.query !== query || field.current === null) return
    const { key } = last
    const isLeft = field.current.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    if (isLeft && key === 'Enter') typeText(field.current, '\n')
  })
  return (key) => {
    held.current = undefined
    if (!isWaiting || (key !== 'Enter' && key !== 'Tab')) return false
    held.current = { key, query }
    const miss = (): void => setMissed(query)
    MATCHING.load().then(() => void setTimeout(miss, HOLD_MS), miss)
    return true
  }
}

/** Read when the list opens, so that nothing moves while it is open. */
function useCommandUses(wanted: boolean): Readonly<Record<string, number>> {
  const { objects } = useAppStore()
  return useMemo(() => (wanted ? objects.of(COMMAND_USES).read() : NO_USES), [wanted, objects])
}

/** A name typed in full, or a command without arguments: the suggestion adds nothing, so Enter sends. */
function isWhole(item: Suggestion | undefined, token: Token | undefined): boolean {
  if (item?.kind === 'person') return item.insert.trimEnd() === `@${token?.query ?? ''}`
  if (item?.kind === 'channel') return item.name === token?.query
  if (item?.kind === 'language') return item.name === token?.query
  return item?.kind === 'command' && item.command.args === '' && item.command.name === token?.query
}

const NOTHING: readonly Suggestion[] = []
const NO_USES: Readonly<Record<string, number>> = {}

/** A lone `@` opens the list only where the Mention button inserted it; a typed one needs a letter after it. */
function bareToken(text: string, caret: number, bareAt: number | undefined): Token | undefined {
  const here = bareAt !== undefined && caret === bareAt + 1 && text[bareAt] === '@'
  return here ? { kind: 'mention', from: bareAt, query: '' } : undefined
}

/**
 * Items of one query keep their order, and items the server adds later come last, so that nothing moves under the
 * cursor.
 */
function useSteady(query: string, found: readonly Suggestion[]): readonly Suggestion[] {
  const [shown, setShown] = useState({ query, items: NOTHING })
  const before = shown.query === query && found.length > 0 ? shown.items : NOTHING
  const items = useMemo(() => {
    const known = before.map((item) => found.find(({ id }) => id === item.id) ?? item)
    const added = found.filter(({ id }) => !before.some((item) => item.id === id))
    return [...known, ...added].slice(0, SUGGESTION_PAGE)
  }, [before, found])
  const isSame = shallowEqual(
    shown.items.map(({ id }) => id),
    items.map(({ id }) => id),
  )
  if (shown.query !== query || !isSame) setShown({ query, items })
  return items
}

/** Authors of recent messages, newest first: the most likely to be mentioned. */
function useSpeakers(place: Place, wanted: boolean): readonly UserId[] {
  return useAppSelector((state) => (wanted ? selectSpeakers(state, place) : NO_USERS), shallowEqual)
}

/** The name of the viewer and of this channel, for snippets. */
function useSnippetNames(channel: SettledChannel): SnippetNames {
  const me = useMe()?.name ?? ''
  const other = useUser(channel.directUserId)?.name
  const name = other ?? channel.name
  return useMemo(() => ({ me, name }), [me, name])
}

/** The emoji list, fetched when the first `:name` is typed; `undefined` until then, and empty if it cannot be. */
function useUnicodeEmoji(matching: Matching | undefined, wanted: boolean): readonly Emoji[] | undefined {
  const language = useLanguage()
  const [loaded, setLoaded] = useState<{ language: string; emoji: readonly Emoji[] }>()
  useEffect(() => {
    if (!wanted || matching === undefined) return undefined
    let live = true
    matching.loadEmoji(language).then(
      (emoji) => live && setLoaded({ language, emoji }),
      (error: unknown) => {
        console.debug('emoji not loaded', error)
        if (live) setLoaded({ language, emoji: NO_EMOJI })
      },
    )
    return () => {
      live = false
    }
  }, [matching, wanted, language])
  return loaded?.language === language ? loaded.emoji : undefined
}

const NO_EMOJI: readonly Emoji[] = []

const NO_USERS: readonly UserId[] = []

type People = {
  readonly people: readonly Person[]
  /** The server is asked: there may be more. */
  readonly isAsked: boolean
}

/**
 * Everyone who can be mentioned here. Fewer than a hundred members are all cached and searched locally; with more, the
 * server is searched for `named`, 300 ms after the last key.
 */
function usePeople(
  { cid }: Place,
  channel: SettledChannel,
  { wanted, named }: { readonly wanted: boolean; readonly named: string },
): People {
  const engine = useEngine()
  const [memberIds, setMemberIds] = useState<readonly UserId[]>(NO_USERS)
  const [answered, setAnswered] = useState<string>()
  const isConnected = useConnection().state === 'healthy'
  const query = wanted && memberIds.length >= LOCAL_MEMBER_SEARCH_BELOW ? named.trim() : ''

  useEffect(() => {
    if (!wanted) return undefined
    let live = true
    const load = async (): Promise<void> => {
      try {
        const ids = await engine.channels.members(query === '' ? { cid } : { cid, text: query })
        if (live) setMemberIds(ids ?? NO_USERS)
      } catch (error) {
        console.debug('members not refreshed', error)
      }
      timer = setTimeout(() => live && setAnswered(query), STORED_MS)
    }
    let timer = setTimeout(() => void load(), query === '' ? 0 : SUGGESTION_DEBOUNCE_MS)
    return () => {
      live = false
      clearTimeout(timer)
    }
  }, [engine, cid, wanted, query])

  const select = useMemo(() => createSelectPeople(channel, memberIds), [channel, memberIds])
  return { people: useAppSelector(select), isAsked: wanted && isConnected && answered !== query }
}

/** The token before the caret. Taking a suggestion replaces the text from `from` to the caret. */
type Token = {
  readonly kind: 'mention' | 'channel' | 'emoji' | 'command' | 'snippet' | 'language'
  readonly from: number
  readonly query: string
}

/** `@` at a word's start, then letters, and optionally one space and a second word (`@John D`). docs/wire.md 7.18. */
const MENTION = /(?<=^|[\s([{"'„«“])@([^\s@]+(?: [^\s@]+)?)$/u
/** `:` at a word's start and at least two letters of a name, so that `10:30` and `:)` are not tokens. */
const EMOJI = /(?<=^|[\s([{"'„«“]):([\p{L}\p{N}_+-]{2,})$/u

/** `#` at a word's start and the start of a channel's name. */
const CHANNEL = /(?<=^|[\s([{"'„«“])#([\p{L}\p{N}][\p{L}\p{N}_-]*)$/u

/** `;;` at a word's start and the start of a snippet's name. */
const SNIPPET = /(?<=^|[\s([{"'„«“]);;([^\s;]*)$/u
/** A slash at the start of the text and the name after it. docs/wire.md 7.18. */
const COMMAND = /^\/(\S*)$/u

/** A code fence and at least one letter of its language. */
const LANGUAGE = /(?<=^|\n)```([a-z+#]{1,12})$/iu

/** Finds the token that ends at the caret, if any. */
export function tokenAt(text: string, caret: number): Token | undefined {
  const command = caret > 80 ? null : COMMAND.exec(text.slice(0, caret))
  if (command) return { kind: 'command', from: 0, query: command[1] ?? '' }
  const before = text.slice(Math.max(0, caret - 80), caret)
  const start = caret - before.length
  const mention = MENTION.exec(before)
  if (mention) return { kind: 'mention', from: start + mention.index, query: mention[1] ?? '' }
  const channel = CHANNEL.exec(before)
  if (channel) return { kind: 'channel', from: start + channel.index, query: channel[1] ?? '' }
  const language = LANGUAGE.exec(before)
  if (language && isInsideFence(text, caret)) {
    return { kind: 'language', from: start + language.index, query: language[1] ?? '' }
  }
  const snippet = SNIPPET.exec(before)
  if (snippet) return { kind: 'snippet', from: start + snippet.index, query: snippet[1] ?? '' }
  const emoji = EMOJI.exec(before)
  if (emoji) return { kind: 'emoji', from: start + emoji.index, query: emoji[1] ?? '' }
  return undefined
}
