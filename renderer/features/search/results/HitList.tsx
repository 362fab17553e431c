import { useCallback, useLayoutEffect, useMemo, useRef, type RefObject, memo } from 'react'
import type { SearchHit, SearchPart } from '#shared/domain/search.ts'
import type { Channel } from '#shared/domain/channel.ts'
import type { User } from '#shared/domain/user.ts'
import { cleanName, shownText } from '#shared/lib/clean-text.ts'
import { useTexts, useFormats } from '../../../i18n/index.ts'
import { useRoving } from '../../../lib/page/roving.ts'
import type { OpenTarget } from '../../../lib/open-target.ts'
import { useAppDispatch, useAppSelector } from '../../../store/hooks.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { useMinute } from '../../../lib/time/clocks.ts'
import { IconButton } from '../../../ui/Button/IconButton.tsx'
import type { IconName } from '../../../ui/Icon/icon-names.ts'
import { MessageTime } from '../../../ui/Dates/MessageTime.tsx'
import { useCopying } from '../../messages/index.ts'
import { EmojiText } from '../../emoji/index.ts'
import { Portrait } from '../../people/index.ts'
import { useOpening } from '../../windows/index.ts'
import { openHit, openInChannel, openThreadAt } from '../commands.ts'
import { placeName } from '../question.ts'
import type { Found, Results } from './results.ts'
import styles from '../Search.module.css'
import hitStyles from './Hit.module.css'

type Props = {
  readonly results: Results
  readonly found: Found
  /** Arrow Up in the first row moves the focus to the field. */
  readonly onUp: () => void
}

/** The next page is requested this far before the end comes into view. */
const AHEAD_PX = 600

/** Results, newest first; older pages load while scrolling. Restores its scroll position on return. */
export function HitList({ results, found, onUp }: Props) {
  const t = useTexts('search')
  const dispatch = useAppDispatch()
  const { hits } = found
  const ids = useMemo(() => hits.map(({ messageId }) => messageId), [hits])
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
        {hits.map((hit) => (
          <Hit
            key={hit.messageId}
            hit={hit}
            author={found.people[hit.userId]}
            channel={found.channels[hit.cid]}
            isOpen={hit.messageId === openId}
            item={itemProps(hit.messageId)}
            onOpen={onOpen}
            onJump={onJump}
            onThread={onThread}
            onLink={onLink}
          />
        ))}
      </ul>
      <End found={found} />
    </div>
  )
}

/** Restores the scroll position. `fill` loads the next page near the end. */
function useScrolling(results: Results, found: Found) {
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

function End({ found }: { readonly found: Found }) {
  const t = useTexts('search')
  const isOver = found.next === undefined && found.busy === 'none'
  return (
    <p className={styles['end']}>
      {isOver ? null : <Icon name="refresh" size={16} />}
      {isOver ? t('end') : found.busy === 'more' ? t('more') : t('searching')}
    </p>
  )
}

type HitProps = {
  readonly hit: SearchHit
  readonly author: User | undefined
  readonly channel: Channel | undefined
  /** Its context is open in the panel. */
  readonly isOpen: boolean
  readonly item: { readonly tabIndex: 0 | -1; readonly 'data-roving-id': string }
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

function Part({ part }: { readonly part: SearchPart }) {
  const icon = PART_ICONS[part.kind]
  return (
    <span className={icon === undefined ? hitStyles['text'] : hitStyles['part']} dir="auto">
      {icon === undefined ? null : <Icon name={icon} size={15} />}
      <span>
        {part.cutBefore ? '…' : ''}
        <Marked text={part.excerpt} marks={part.marks} />
        {part.cutAfter ? '…' : ''}
      </span>
    </span>
  )
}

/** Text with highlighted ranges by offset; message text is never treated as markup. */
export function Marked({ text, marks }: { readonly text: string; readonly marks: SearchPart['marks'] }) {
  const ends = [0, ...marks.map(([, end]) => end)]
  return (
    <>
      {marks.map(([start, end], at) => (
        <span key={start}>
          <EmojiText text={shownText(text.slice(ends[at], start))} />
          <mark>
            <EmojiText text={shownText(text.slice(start, end))} />
          </mark>
        </span>
      ))}
      <EmojiText text={shownText(text.slice(ends.at(-1)))} />
    </>
  )
}
