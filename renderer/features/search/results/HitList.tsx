import { useCallback, useLayoutEffect, useMemo, useRef, type ReactNode, type RefObject, memo } from 'react'
import type { SearchHit, SearchPart } from '#shared/domain/search.ts'
import type { Channel } from '#shared/domain/channel.ts'
import type { User } from '#shared/domain/user.ts'
import { cleanName, shownText } from '#shared/lib/clean-text.ts'
import { useErrorText, useTexts, useFormats } from '../../../i18n/index.ts'
import { useRoving } from '../../../lib/page/roving.ts'
import type { OpenTarget } from '../../../lib/open-target.ts'
import { selectAccount } from '../../../store/accounts.ts'
import { useAppDispatch, useAppSelector } from '../../../store/hooks.ts'
import { Avatar } from '../../../ui/Avatar/Avatar.tsx'
import { Icon, type IconName } from '../../../ui/Icon/Icon.tsx'
import { useLanguageMark } from '../../../lib/text/language-mark.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { Button, IconButton } from '../../../ui/Button/Button.tsx'
import { MessageTime } from '../../../ui/Dates/MessageTime.tsx'
import { AccountLogo } from '../../accounts/index.ts'
import { useCopying } from '../../messages/index.ts'
import { EmojiText } from '../../emoji/index.ts'
import { nameOf, Portrait } from '../../people/index.ts'
import { useOpening } from '../../windows/index.ts'
import { openElsewhere, openHit, openInChannel, openThreadAt } from '../commands.ts'
import { placeName, placeNameElsewhere } from '../question.ts'
import { type Found, type FoundHit, keyIn, type ResultList } from './results.ts'
import styles from '../Search.module.css'
import hitStyles from './Hit.module.css'

type Props = {
  readonly results: ResultList
  readonly found: Found
  /** Arrow Up in the first row moves the focus to the field. */
  readonly onUp: () => void
}

/** The next page is requested this far before the end comes into view. */
const AHEAD_PX = 600

/** Results in their order; further pages load while scrolling. Restores its scroll position on return. */
export function HitList({ results, found, onUp }: Props) {
  const t = useTexts('search')
  const dispatch = useAppDispatch()
  const { hits } = found
  const ids = useMemo(() => hits.map(({ account, messageId }) => keyIn(account, messageId)), [hits])
  const { containerProps, itemProps } = useRoving({ ids, pageSize: 8, initialId: results.place().activeId })
  const { ref, onFocus, onKeyDown } = containerProps
  const openId = useAppSelector(({ ui: { panel, jump } }) =>
    panel?.kind === 'context' ? panel.messageId : panel?.kind === 'thread' ? jump?.messageId : undefined,
  )
  const onOpen = useCallback((hit: SearchHit, target: OpenTarget) => dispatch(openHit(hit, target)), [dispatch])
  const onJump = useCallback((hit: SearchHit) => dispatch(openInChannel(hit)), [dispatch])
  const onThread = useCallback((hit: SearchHit) => dispatch(openThreadAt(hit)), [dispatch])
  const copying = useCopying()
  const onLink = useCallback(({ cid, messageId }: SearchHit) => copying.link({ cid, id: messageId }), [copying])
  const { scroller, fill } = useScrolling(results, found)
  return (
    <div
      ref={scroller}
      className={styles['view']}
      data-region="messages"
      onScroll={(event) => fill(event.currentTarget)}
      aria-busy={found.busy !== 'none'}
    >
      <ul
        ref={ref as RefObject<HTMLUListElement | null>}
        className={styles['list']}
        aria-label={t('list')}
        onFocus={(event) => {
          onFocus(event)
          results.leave({ activeId: event.target.closest<HTMLElement>('li')?.dataset['hit'] })
        }}
        onKeyDown={(event) => {
          const isFirst =
            event.target instanceof Element && event.target.closest('li') === event.currentTarget.firstChild
          if (event.key === 'ArrowUp' && isFirst && !event.altKey) {
            event.preventDefault()
            onUp()
          } else onKeyDown(event)
        }}
      >
        {hits.map((hit) => {
          const id = keyIn(hit.account, hit.messageId)
          const shown = {
            hit,
            author: found.people[keyIn(hit.account, hit.userId)],
            channel: found.channels[keyIn(hit.account, hit.cid)],
            item: itemProps(id),
          }
          if (hit.account !== undefined) {
            return <HitElsewhere key={id} {...shown} account={hit.account} people={found.people} />
          }
          return (
            <Hit
              key={id}
              {...shown}
              isOpen={hit.messageId === openId}
              onOpen={onOpen}
              onJump={onJump}
              onThread={onThread}
              onLink={onLink}
            />
          )
        })}
      </ul>
      <End found={found} results={results} />
    </div>
  )
}

/** Restores the scroll position. `fill` loads the next page near the end. */
function useScrolling(results: ResultList, found: Found) {
  const scroller = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return undefined
    element.scrollTop = results.place().scrollTop
    // Returning by keyboard focuses the row that was opened.
    if (document.activeElement === document.body) {
      element.querySelector<HTMLElement>('[data-roving-id][tabindex="0"]')?.focus({ preventScroll: true })
    }
    return () => {
      results.leave({ scrollTop: element.scrollTop })
    }
  }, [results])
  const fill = (element: HTMLElement): void => {
    if (element.scrollHeight - element.scrollTop - element.clientHeight < AHEAD_PX) void results.more()
  }
  // A new query starts at the top; a page that does not fill the view requests the next.
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    if (found.busy === 'searching' && results.place().scrollTop === 0) element.scrollTop = 0
    if (found.busy === 'none') fill(element)
  })
  return { scroller, fill }
}

function End({ found, results }: Pick<Props, 'found' | 'results'>) {
  const t = useTexts('search')
  const errorText = useErrorText()
  const isSettled = found.busy === 'none'
  if (found.error !== undefined && isSettled) {
    return (
      <p role="status" className={styles['end']}>
        <Icon name="alert-circle" size={16} />
        {errorText(found.error)}
        <Button size="small" variant="link" onClick={() => results.again()}>
          {t('askAgain')}
        </Button>
      </p>
    )
  }
  const isOver = found.next === undefined && isSettled
  return (
    <p className={styles['end']}>
      {isOver ? null : <Icon name="refresh" size={16} />}
      {isOver ? t('end') : found.busy === 'more' ? t('more') : t('searching')}
    </p>
  )
}

type ShownHit = {
  readonly hit: FoundHit
  readonly author: User | undefined
  readonly channel: Channel | undefined
  readonly item: { readonly tabIndex: 0 | -1; readonly 'data-roving-id': string }
}

type HitProps = ShownHit & {
  /** Its context is open in the panel. */
  readonly isOpen: boolean
  readonly onOpen: (hit: SearchHit, target: OpenTarget) => void
  readonly onJump: (hit: SearchHit) => void
  readonly onThread: (hit: SearchHit) => void
  readonly onLink: (hit: SearchHit) => void
}

/** A result: author, time, channel and the matching text. */
const Hit = memo(function Hit({ hit, author, channel, isOpen, item, onOpen, onJump, onThread, onLink }: HitProps) {
  const t = useTexts('search')
  const name = useAppSelector((state) => (state.entities.users[hit.userId] ?? author)?.name ?? hit.userId)
  const place = useAppSelector((state) => placeName(state, hit.cid, channel))
  const opening = useOpening()
  const hasThread = hit.parentId !== undefined || hit.replyCount > 0
  return (
    <li className={hitStyles['hit']} data-hit={hit.messageId} data-open={isOpen || undefined}>
      <button
        type="button"
        className={hitStyles['hitOpen']}
        aria-pressed={isOpen}
        {...item}
        {...opening((target) => onOpen(hit, target))}
      >
        <Portrait userId={hit.userId} size={36} />
        <span className={hitStyles['hitMain']}>
          <span className={hitStyles['hitHead']}>
            <bdi className={hitStyles['author']}>{cleanName(name)}</bdi>
            <When hit={hit} />
            <Source hit={hit} />
            <bdi className={hitStyles['note']}>{hit.parentId === undefined ? place : t('thread', { place })}</bdi>
            {hit.pinned ? <Icon name="pin" size={13} /> : null}
            {hit.edited ? <span className={hitStyles['note']}>{t('edited')}</span> : null}
            {hit.replyCount > 0 ? (
              <span className={hitStyles['note']}>{t('replies', { count: hit.replyCount })}</span>
            ) : null}
          </span>
          {hit.parts.map((part) => (
            <Part key={`${part.kind} ${part.index}`} part={part} />
          ))}
        </span>
      </button>
      <div className={hitStyles['tools']}>
        <IconButton icon="arrow-right" label={t('jump')} onClick={() => onJump(hit)} />
        {hasThread ? <IconButton icon="thread" label={t('openThread')} onClick={() => onThread(hit)} /> : null}
        <IconButton icon="link" label={t('copyLink')} onClick={() => onLink(hit)} />
      </div>
    </li>
  )
})

type ElsewhereProps = ShownHit & { readonly account: string; readonly people: Found['people'] }

/**
 * A result in another workspace, which a click shows. Its names are those of the answer, with initials and plain emoji:
 * rows and pictures of this window belong to the account on screen.
 */
const HitElsewhere = memo(function HitElsewhere({ hit, author, channel, item, account, people }: ElsewhereProps) {
  const t = useTexts('search')
  const dispatch = useAppDispatch()
  const entry = useAppSelector((state) => selectAccount(state, account))
  const name = nameOf(author, hit.userId)
  const place = placeNameElsewhere(channel, (id) => people[keyIn(account, id)]?.name)
  const workspace = entry?.name ?? ''
  const open = (): void => dispatch(openElsewhere({ ...hit, account }))
  return (
    <li className={hitStyles['hit']} data-hit={hit.messageId} data-account={account}>
      <button type="button" className={hitStyles['hitOpen']} {...item} onClick={open}>
        <Avatar id={hit.userId} name={name} size={36} bot={author?.bot ?? false} />
        <span className={hitStyles['hitMain']}>
          <span className={hitStyles['hitHead']}>
            <bdi className={hitStyles['author']}>{name}</bdi>
            <When hit={hit} />
            <Source hit={hit} />
            <bdi className={hitStyles['note']}>{hit.parentId === undefined ? place : t('thread', { place })}</bdi>
            <span className={hitStyles['workspace']}>
              {entry === undefined ? null : <AccountLogo account={entry} size={16} />}
              <bdi>{workspace}</bdi>
            </span>
          </span>
          {hit.parts.map((part) => (
            <Part key={`${part.kind} ${part.index}`} part={part} isPlain />
          ))}
        </span>
      </button>
      <div className={hitStyles['tools']}>
        <IconButton icon="arrow-right" label={t('jumpElsewhere', { name: workspace })} onClick={open} />
      </div>
    </li>
  )
})

/** Whether it was on this device or the server added it. */
function Source({ hit }: { readonly hit: FoundHit }) {
  const t = useTexts('search')
  const fromServer = hit.fromServer === true
  return (
    <span className={hitStyles['source']}>
      <Icon name={fromServer ? 'cloud' : 'monitor'} size={13} />
      <span className={fromServer ? undefined : 'sr-only'}>{t(fromServer ? 'sources.server' : 'sources.here')}</span>
    </span>
  )
}

/** `Today, 10:36`; the date if older than a week. */
function When({ hit }: { readonly hit: SearchHit }) {
  const formats = useFormats()
  const now = useMinute()
  return <MessageTime message={hit} format={(at) => `${formats.day(at, now)}, ${formats.time(at)}`} />
}

const PART_ICONS: Readonly<Partial<Record<SearchPart['kind'], IconName>>> = {
  attachment: 'paperclip',
  poll: 'poll',
  'poll-description': 'poll',
  'poll-option': 'poll',
}

function Part({ part, isPlain = false }: { readonly part: SearchPart; readonly isPlain?: boolean }) {
  const icon = PART_ICONS[part.kind]
  const marked = useLanguageMark<HTMLSpanElement>(part.excerpt, undefined)
  return (
    <span ref={marked} className={icon === undefined ? hitStyles['text'] : hitStyles['part']} dir="auto">
      {icon === undefined ? null : <Icon name={icon} size={15} />}
      <span>
        {part.cutBefore ? '…' : ''}
        <Marked text={part.excerpt} marks={part.marks} isPlain={isPlain} />
        {part.cutAfter ? '…' : ''}
      </span>
    </span>
  )
}

type MarkedProps = {
  readonly text: string
  readonly marks: SearchPart['marks']
  /** Without the custom emoji of the account on screen. */
  readonly isPlain?: boolean
}

/** Text with highlighted ranges by offset; message text is never treated as markup. */
export function Marked({ text, marks, isPlain = false }: MarkedProps) {
  const ends = [0, ...marks.map(([, end]) => end)]
  const shown = (from: number | undefined, to?: number): ReactNode => {
    const part = shownText(text.slice(from, to))
    return isPlain ? part : <EmojiText text={part} />
  }
  return (
    <>
      {marks.map(([start, end], at) => (
        <span key={start}>
          {shown(ends[at], start)}
          <mark>{shown(start, end)}</mark>
        </span>
      ))}
      {shown(ends.at(-1))}
    </>
  )
}
