import { memo } from 'react'
import type { SearchHit, SearchPart } from '#shared/domain/search.ts'
import type { Channel } from '#shared/domain/channel.ts'
import type { User } from '#shared/domain/user.ts'
import { cleanName, shownText } from '#shared/lib/clean-text.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import type { OpenTarget } from '../../../lib/open-target.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { useAppSelector } from '../../../store/hooks.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { IconButton } from '../../../ui/Button/IconButton.tsx'
import type { IconName } from '../../../ui/Icon/icon-names.ts'
import { MessageTime } from '../../../ui/Dates/MessageTime.tsx'
import { EmojiText } from '../../emoji/index.ts'
import { Portrait } from '../../people/index.ts'
import { useOpening } from '../../windows/index.ts'
import { placeName } from '../labels.ts'
import styles from './Hit.module.css'

type Props = {
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
export const Hit = memo(function Hit({ hit, author, channel, isOpen, item, onOpen, onJump, onThread, onLink }: Props) {
  const t = useTexts('search')
  const name = useAppSelector((state) => (state.entities.users[hit.userId] ?? author)?.name ?? hit.userId)
  const place = useAppSelector((state) => placeName(state, hit.cid, channel))
  const opening = useOpening()
  const hasThread = hit.parentId !== undefined || hit.replyCount > 0
  return (
    <li className={styles['hit']} data-hit={hit.messageId} data-open={isOpen || undefined}>
      <button
        type="button"
        className={styles['hitOpen']}
        aria-pressed={isOpen}
        {...item}
        {...opening((target) => onOpen(hit, target))}
      >
        <Portrait userId={hit.userId} size={36} />
        <span className={styles['hitMain']}>
          <span className={styles['hitHead']}>
            <bdi className={styles['author']}>{cleanName(name)}</bdi>
            <When hit={hit} />
            <bdi className={styles['note']}>{hit.parentId === undefined ? place : t('thread', { place })}</bdi>
            {hit.pinned ? <Icon name="pin" size={13} /> : null}
            {hit.edited ? <span className={styles['note']}>{t('edited')}</span> : null}
            {hit.replyCount > 0 ? (
              <span className={styles['note']}>{t('replies', { count: hit.replyCount })}</span>
            ) : null}
          </span>
          {hit.parts.map((part) => (
            <Part key={`${part.kind} ${part.index}`} part={part} />
          ))}
        </span>
      </button>
      <div className={styles['tools']}>
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
    <span className={icon === undefined ? styles['text'] : styles['part']} dir="auto">
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
