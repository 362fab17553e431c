import { useEffect, useMemo, useState, type RefObject } from 'react'
import { shallowEqual } from 'react-redux'
import { SUGGESTION_PAGE } from '#shared/constants.ts'
import type { Channel } from '#shared/domain/channel.ts'
import type { BroadcastMention } from '#shared/domain/message.ts'
import type { UserId } from '#shared/lib/brand.ts'
import {
  commandBar,
  commandIn,
  matchCommands,
  type ChannelCommand,
  type CommandBar,
} from '#shared/rules/composer/commands.ts'
import type { ComposerState } from '../../../store/composers/composers.ts'
import { loadEmoji, readTone, searchEmoji, selectCustomBook, withTone, type Emoji } from '../../emoji/index.ts'
import { useFormats, useLanguage, type Formats } from '../../../i18n/index.ts'
import { useAppSelector } from '../../../store/hooks.ts'
import { matchCalls } from '../send/calling.ts'
import { editField } from '../field/field-edit.ts'
import { matchLanguages } from './languages.ts'
import { matchPeople, mentionText, offeredIn, type MentionMatch, type Person } from './mentions.ts'
import { selectSpeakers } from '../selectors.ts'
import { tokenAt, type Token } from './tokens.ts'
import type { Place } from '../place.ts'
import { useChannelWords } from './use-channel-mentions.ts'
import { usePeople } from './use-people.ts'
import { useSnippets } from './use-snippets.ts'
import { barHere } from './written-command.ts'

export type Suggestion =
  | { readonly kind: 'person'; readonly id: string; readonly insert: string; readonly match: MentionMatch }
  | { readonly kind: 'emoji'; readonly id: string; readonly insert: string; readonly emoji: Emoji }
  | {
      readonly kind: 'command'
      readonly id: string
      readonly insert: string
      readonly command: ChannelCommand
      /** Why it cannot be taken. */
      readonly bar: CommandBar | undefined
    }
  | { readonly kind: 'call'; readonly id: string; readonly insert: string; readonly reach: BroadcastMention }
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
  /** Handles a key of the open list; true when the key was meant for it. */
  readonly onKey: (key: string) => boolean
  /** Opens the list of people at a bare `@`. */
  readonly openPeople: () => void
  /** Opens the list of commands; what is written already becomes what the command is given. */
  readonly openCommands: () => void
  /** Everyone who can be mentioned here. */
  readonly people: readonly Person[]
}

type Input = {
  readonly place: Place
  readonly channel: Channel
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly composer: ComposerState
  readonly focused: boolean
}

/** The list over the composer: people after `@`, channels after `#`, emoji after `:`, commands after a first `/`, own texts after `;;`. See docs/wire.md 7.18. */
export function useSuggestions({ place, channel, field, composer, focused }: Input): Suggestions {
  const { text, caret } = composer
  const editing = composer.editing !== undefined
  const quoting = composer.quotedId !== undefined
  const [bareAt, setBareAt] = useState<number>()
  const token = useMemo(() => tokenAt(text, caret) ?? bareToken(text, caret, bareAt), [text, caret, bareAt])
  const named = token?.kind === 'mention' ? token.query : ''
  const people = usePeople(place, channel, { wanted: token?.kind === 'mention' || text.includes('@'), named })
  const unicode = useBook(token?.kind === 'emoji')
  const custom = useAppSelector(selectCustomBook)
  const book = useMemo(() => [...custom, ...unicode], [custom, unicode])
  const snippets = useSnippets(channel)
  const { compare } = useFormats()
  const channels = useChannelWords()
  const [closedAt, setClosedAt] = useState<string>()
  const where = token && `${token.kind} ${token.from}`
  const open = focused && token !== undefined && closedAt !== where
  const offered = useMemo(() => offeredIn(text, people), [text, people])
  const speakers = useSpeakers(place, open && token.kind === 'mention')
  const found = useMemo(() => {
    if (!open || token === undefined) return NOTHING
    if (token.kind === 'command') return commandsFor(token.query, channel, barHere(channel, editing, quoting), compare)
    if (token.kind === 'channel') return channels(token.query)
    if (token.kind === 'snippet') return snippets(token.query)
    if (token.kind === 'language') return languagesFor(token.query)
    return token.kind === 'emoji'
      ? emojiFor(token.query, book)
      : peopleFor(token.query, offered, { channel, text, speakers, compare })
  }, [open, token, offered, book, channel, editing, quoting, channels, snippets, text, speakers, compare])
  const [picked, setPicked] = useState({ query: '', index: 0 })
  const query = `${where ?? ''} ${token?.query ?? ''}`
  const items = useSteady(query, found)
  const selected = picked.query === query ? Math.min(picked.index, Math.max(0, items.length - 1)) : 0
  const select = (index: number): void => setPicked({ query, index })

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
    if (items.length === 0) return false
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
    const glued = from > 0 && !/\s/.test(value[from - 1] ?? '')
    const insert = glued ? ' @' : '@'
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

/** A name written to its end, or a command without arguments: there is nothing to add, and Enter sends. */
function isWhole(item: Suggestion | undefined, token: Token | undefined): boolean {
  if (item?.kind === 'person') return item.insert.trimEnd() === `@${token?.query ?? ''}`
  if (item?.kind === 'channel') return item.name === token?.query
  if (item?.kind === 'language') return item.name === token?.query
  return item?.kind === 'command' && item.command.args === '' && item.command.name === token?.query
}

const NOTHING: readonly Suggestion[] = []

/** A lone `@` opens the list only where the Mention button wrote it: by hand it needs one letter. */
function bareToken(text: string, caret: number, bareAt: number | undefined): Token | undefined {
  const here = bareAt !== undefined && caret === bareAt + 1 && text[bareAt] === '@'
  return here ? { kind: 'mention', from: bareAt, query: '' } : undefined
}

/**
 * What is offered for one query keeps its order: what the server adds comes after what was there, so that nothing moves
 * under the cursor.
 */
function useSteady(query: string, found: readonly Suggestion[]): readonly Suggestion[] {
  const [held, setHeld] = useState({ query, items: NOTHING })
  const before = held.query === query && found.length > 0 ? held.items : NOTHING
  const items = useMemo(() => {
    const known = before.map((item) => found.find(({ id }) => id === item.id) ?? item)
    const added = found.filter(({ id }) => !before.some((item) => item.id === id))
    return [...known, ...added].slice(0, SUGGESTION_PAGE)
  }, [before, found])
  const isSame = shallowEqual(
    held.items.map(({ id }) => id),
    items.map(({ id }) => id),
  )
  if (held.query !== query || !isSame) setHeld({ query, items })
  return items
}

/** Who wrote here last, the newest first: they are the likeliest to be named. */
function useSpeakers(place: Place, wanted: boolean): readonly UserId[] {
  return useAppSelector((state) => (wanted ? selectSpeakers(state, place) : NOBODY), shallowEqual)
}
const NOBODY: readonly UserId[] = []

/** The emoji list, fetched when the first `:name` is typed. */
function useBook(wanted: boolean): readonly Emoji[] {
  const language = useLanguage()
  const [book, setBook] = useState<{ language: string; emoji: readonly Emoji[] }>()
  useEffect(() => {
    if (!wanted) return undefined
    let live = true
    loadEmoji(language).then(
      (emoji) => live && setBook({ language, emoji }),
      (error: unknown) => console.debug('emoji not loaded', error),
    )
    return () => {
      live = false
    }
  }, [wanted, language])
  return book?.language === language ? book.emoji : EMPTY_BOOK
}

const EMPTY_BOOK: readonly Emoji[] = []

function commandsFor(
  query: string,
  channel: Channel,
  here: Parameters<typeof commandBar>[1],
  compare: Formats['compare'],
): readonly Suggestion[] {
  return matchCommands(channel.config.commands, query, compare).map((command) => ({
    kind: 'command',
    id: command.name,
    insert: `/${command.name} `,
    command,
    bar: commandBar(command.name, here),
  }))
}

const languagesFor = (query: string): readonly Suggestion[] =>
  matchLanguages(query)
    .slice(0, SUGGESTION_PAGE)
    .map(({ name, label }) => ({ kind: 'language', id: name, insert: `\`\`\`${name}`, name, label }))

type Here = {
  readonly channel: Channel
  readonly text: string
  readonly speakers: readonly UserId[]
  readonly compare: Formats['compare']
}

/** People, and after them what calls all of them at once. */
function peopleFor(
  query: string,
  people: readonly Person[],
  { channel, text, speakers, compare }: Here,
): readonly Suggestion[] {
  const isCommand = commandIn(text, channel.config.commands) !== undefined
  const calls = (isCommand ? [] : matchCalls(channel, query)).map((reach) => ({
    kind: 'call' as const,
    id: `@${reach}`,
    insert: `@${reach} `,
    reach,
  }))
  const named = matchPeople(people, query, compare, speakers).map((match) => ({
    kind: 'person' as const,
    id: match.person.id,
    insert: mentionText(match.person),
    match,
  }))
  return [...named.slice(0, SUGGESTION_PAGE - calls.length), ...calls]
}

function emojiFor(query: string, book: readonly Emoji[]): readonly Suggestion[] {
  const tone = readTone()
  return searchEmoji(book, query, SUGGESTION_PAGE).map((emoji) => ({
    kind: 'emoji',
    id: emoji.unicode,
    insert: `${withTone(emoji, tone)} `,
    emoji,
  }))
}
