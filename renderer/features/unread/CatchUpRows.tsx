import { Fragment } from 'react'
import { CATCH_UP_GROUPS, type CatchUpGroup, type CatchUpItem } from '#shared/domain/unread.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import { useMinute } from '../../lib/time/clocks.ts'
import { useAppSelector, useChannel, useMe } from '../../store/hooks.ts'
import { Button, IconButton } from '../../ui/Button/Button.tsx'
import { Icon, type IconName } from '../../ui/Icon/Icon.tsx'
import { altOf, FileCard, isPicture, mediaRef, Picture, useBlurred, useThumbHidden } from '../attachments/index.ts'
import { Composer } from '../composer/index.ts'
import { EmojiText } from '../emoji/index.ts'
import { glyphOf } from '../messages/reactions/index.ts'
import { Faces, Portrait, useName, useNames } from '../people/index.ts'
import { channelTitle } from '../sidebar/index.ts'
import {
  type Entry,
  replyPlace,
  useCatchUpList,
  useListKeys,
  type CatchUpList,
  type ListOptions,
} from './use-catch-up.ts'
import styles from './CatchUp.module.css'

export const GROUP_ICONS: Readonly<Record<CatchUpGroup, IconName>> = {
  forYou: 'at',
  decisions: 'flag',
  polls: 'poll',
  files: 'file',
  threads: 'thread',
  popular: 'smile',
}

type GroupsProps = ListOptions & {
  /** Groups with more than fit. */
  readonly cut: readonly CatchUpGroup[]
}

/**
 * The groups. One tab stop: arrows or J and K move, Enter opens, E marks as read, S saves, R replies here, Space opens
 * beside, X selects, U undoes.
 */
export function CatchUpGroups({ entries, cut, ...marks }: GroupsProps) {
  const t = useTexts('unread')
  const list = useCatchUpList({ entries, ...marks })
  const { roving, selected } = list
  const onKeyDown = useListKeys(list)
  const { ref, onFocus } = roving.containerProps
  return (
    <div
      ref={(element) => {
        ref.current = element
      }}
      role="presentation"
      onFocus={onFocus}
      onKeyDown={onKeyDown}
    >
      {selected.length === 0 ? null : <Selected list={list} />}
      {CATCH_UP_GROUPS.map((group) => {
        const rows = entries.filter(({ item }) => item.group === group)
        if (rows.length === 0) return null
        return (
          <section key={group} aria-labelledby={`catch-up-${group}`}>
            <h2 id={`catch-up-${group}`} className={styles['groupHead']}>
              <Icon name={GROUP_ICONS[group]} size={16} />
              {t(`groups.${group}`)} <span className={styles['count']}>{rows.length}</span>
            </h2>
            <div className={styles['card']}>
              {rows.map((entry) => (
                <Row key={entry.id} entry={entry} list={list} />
              ))}
              {cut.includes(group) ? <p className={styles['more']}>{t('groups.cut')}</p> : null}
            </div>
          </section>
        )
      })}
    </div>
  )
}

/** What can be done with all selected rows at once. */
function Selected({ list }: { readonly list: CatchUpList }) {
  const t = useTexts('unread')
  const { selected, finish, save, endSelection } = list
  const text = t('rows.selected', { count: selected.length })
  return (
    <div className={styles['selection']} role="toolbar" aria-label={text}>
      <strong>{text}</strong>
      <Button size="small" icon="check" onClick={() => void finish(selected)}>
        {t('rows.read')}
      </Button>
      <Button size="small" icon="bookmark" onClick={() => void save(selected)}>
        {t('rows.save')}
      </Button>
      <IconButton size="small" icon="x" label={t('rows.endSelection')} onClick={endSelection} />
    </div>
  )
}

function Row({ entry, list }: { readonly entry: Entry; readonly list: CatchUpList }) {
  const t = useTexts('unread')
  const { item, id, state } = entry
  const props = list.roving.itemProps(id)
  const where = useWhere(item)
  const who = useWho(item)
  const { weekdayAndTime, listTime } = useFormats()
  const now = useMinute()
  const when = now - item.at < WEEK_MS ? weekdayAndTime(item.at) : listTime(item.at, now)
  const summary = useSummary(item)
  if (state === 'done') return <DoneRow entry={entry} list={list} where={where} />
  const isSelected = list.selected.includes(entry)
  const label = [
    isSelected ? t('rows.isSelected') : '',
    state === 'read' ? t('rows.isRead') : '',
    who,
    where,
    when,
    summary.text,
    summary.foot,
  ]
  return (
    <article
      className={cx(styles['row'], isSelected && styles['selected'])}
      aria-label={`${who}, ${where}`}
      data-catch-up={id}
    >
      <button
        type="button"
        className={styles['press']}
        aria-label={label.filter((each) => each !== '').join(', ')}
        {...props}
        onClick={(event) => (event.ctrlKey || event.metaKey ? list.select(id) : list.open(entry))}
      />
      {isSelected ? (
        <span className={styles['square']}>
          <Icon name="check" size={17} />
        </span>
      ) : (
        <Portrait userId={item.reason === 'reaction' ? (item.others[0] ?? item.userId) : item.userId} size={32} />
      )}
      <Body entry={entry} who={who} where={where} when={when} summary={summary} />
      <Files item={item} />
      <Actions entry={entry} list={list} where={where} tabIndex={props.tabIndex} />
      {list.replyTo === id ? <ReplyHere item={item} onEnd={() => list.reply(undefined)} /> : null}
    </article>
  )
}

type BodyProps = {
  readonly entry: Entry
  readonly who: string
  readonly where: string
  readonly when: string
  readonly summary: ReturnType<typeof useSummary>
}

/** The name of the row says the same to screen readers. */
function Body({ entry: { item, state }, who, where, when, summary }: BodyProps) {
  const t = useTexts('unread')
  return (
    <div className={cx(styles['body'], state === 'read' && styles['isRead'])} aria-hidden="true">
      <span className={styles['head']}>
        <b>
          <bdi>{who}</bdi>
        </b>
        <span>{where}</span>
        <span>{when}</span>
        {state === 'read' ? <span>{t('rows.isRead')}</span> : null}
      </span>
      {summary.text === '' ? null : (
        <span className={styles['text']} dir="auto">
          <Named text={summary.text} />
        </span>
      )}
      {summary.foot === '' ? null : (
        <span className={styles['foot']}>
          {item.reason === 'thread' || item.reason === 'agreed' ? <Faces userIds={item.others} size={16} /> : null}
          {item.reason === 'thread' ? <strong>{summary.foot}</strong> : summary.foot}
        </span>
      )}
    </div>
  )
}

type DoneProps = { readonly entry: Entry; readonly list: CatchUpList; readonly where: string }

/** Was marked as read; keeps the place of the row. */
function DoneRow({ entry, list, where }: DoneProps) {
  const t = useTexts('unread')
  return (
    <div className={styles['gone']} data-catch-up={entry.id}>
      <span>
        <b>{where}</b> {t('catchUp.isRead')}
      </span>
      <Button size="small" icon="undo" {...list.roving.itemProps(entry.id)} onClick={() => void list.takeBack(entry)}>
        {t('catchUp.undo')}
      </Button>
    </div>
  )
}

function ReplyHere({ item, onEnd }: { readonly item: CatchUpItem; readonly onEnd: () => void }) {
  return (
    <div
      className={styles['reply']}
      role="presentation"
      data-reply=""
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing) return
        event.preventDefault()
        onEnd()
      }}
    >
      <Composer {...replyPlace(item)} />
    </div>
  )
}

/** The text, with the viewer's own name as a chip. */
function Named({ text }: { readonly text: string }) {
  const me = useMe()?.name ?? ''
  const mention = `@${me}`
  if (me === '' || !text.includes(mention)) return <EmojiText text={text} />
  return text.split(mention).map((part, index) => (
    <Fragment key={index}>
      {index === 0 ? null : <mark>{mention}</mark>}
      <EmojiText text={part} />
    </Fragment>
  ))
}

const WEEK_MS = 7 * 86_400_000

type ActionsProps = {
  readonly entry: Entry
  readonly list: CatchUpList
  readonly where: string
  readonly tabIndex: 0 | -1
}

function Actions({ entry, list, where, tabIndex }: ActionsProps) {
  const t = useTexts('unread')
  return (
    <span className={styles['actions']}>
      <IconButton
        size="small"
        icon="reply"
        label={t('rows.replyTo', { place: where })}
        keys={['R']}
        tabIndex={tabIndex}
        onClick={() => list.reply(entry)}
      />
      <IconButton
        size="small"
        icon="bookmark"
        label={t('rows.save')}
        keys={['S']}
        tabIndex={tabIndex}
        onClick={() => void list.save([entry])}
      />
      <IconButton
        size="small"
        icon="panel-right"
        label={t('catchUp.beside', { place: where })}
        keys={[' ']}
        tabIndex={tabIndex}
        onClick={() => list.showBeside(entry)}
      />
      {entry.state === 'open' && entry.item.unread ? (
        <IconButton
          size="small"
          icon="check"
          label={t('catchUp.doneIn', { place: where })}
          keys={['E']}
          tabIndex={tabIndex}
          onClick={() => void list.finish([entry])}
        />
      ) : null}
    </span>
  )
}

/** `#release-4-2`, or that it is a direct message. */
function useWhere({ cid, reason }: CatchUpItem): string {
  const t = useTexts('unread')
  const channel = useChannel(cid)
  const title = useAppSelector((state) => channelTitle(state, cid))
  const isDirect = (channel?.directUserIds.length ?? 0) > 0
  if (isDirect) return channel?.directUserId === undefined ? title : t('rows.direct')
  return reason === 'thread' ? t('rows.withYou', { place: `#${title}` }) : `#${title}`
}

/** The author, or everyone who reacted. */
function useWho({ userId, others, reason }: CatchUpItem): string {
  const { list } = useFormats()
  const author = cleanName(useName(userId))
  const names = useNames(others)
  return reason === 'reaction' ? list(names) : author
}

/** The text of a row, and the line below it. */
function useSummary(item: CatchUpItem): { readonly text: string; readonly foot: string } {
  const t = useTexts('unread')
  const { list, timeOrDay } = useFormats()
  const now = useMinute()
  const names = list(useNames(item.others))
  const { reason, reactions, replies, poll } = item
  const glyphs = reactions.map(({ type }) => glyphOf(type).text).join(' ')
  const pictures = item.files.filter(isPicture).length
  const text = item.text === '' && pictures > 0 ? t('rows.photos', { count: pictures }) : item.text
  switch (reason) {
    case 'reaction':
      return { text: t('rows.reacted', { emoji: glyphs, text }), foot: '' }
    case 'pinned':
      return { text, foot: names === '' ? t('rows.pinned') : t('rows.pinnedBy', { names }) }
    case 'agreed':
      return { text, foot: t('rows.agreedBy', { names }) }
    case 'thread':
      return { text, foot: t('rows.replies', { count: replies }) }
    case 'popular':
      return { text, foot: reactions.map(({ type, count }) => `${glyphOf(type).text} ${count}`).join('  ') }
    case 'poll': {
      const closes = poll?.closesAt === undefined ? '' : t('rows.closes', { time: timeOrDay(poll.closesAt, now) })
      const foot = [t('rows.votes', { count: poll?.votes ?? 0 }), t('rows.notVoted'), closes]
      return { text: poll?.name ?? text, foot: foot.filter((each) => each !== '').join(' · ') }
    }
    case 'mention':
    case 'keyword':
    case 'direct':
    case 'files':
      return { text, foot: '' }
  }
}

const SHOWN_PICTURES = 4
const SHOWN_FILES = 3

/** Thumbnails, and cards that save a file. */
function Files({ item: { messageId, cid, files, group } }: { readonly item: CatchUpItem }) {
  const pictures = files.filter(isPicture).slice(0, SHOWN_PICTURES)
  const others = files.filter((file) => !isPicture(file)).slice(0, SHOWN_FILES)
  if (pictures.length + others.length === 0 || group === 'popular') return null
  return (
    <div className={styles['files']} style={{ gridColumn: 2 }}>
      {pictures.map((file) => (
        <Thumb key={file.index} cid={cid} mediaKey={mediaRef(messageId, file.index)} alt={altOf(file)} />
      ))}
      {others.map((file) => (
        <FileCard key={file.index} messageId={messageId} attachment={file} />
      ))}
    </div>
  )
}

type ThumbProps = { readonly cid: Cid; readonly mediaKey: string; readonly alt: string }

function Thumb({ cid, mediaKey, alt }: ThumbProps) {
  const { isBlurred } = useBlurred(mediaKey)
  const isHidden = useThumbHidden(cid, mediaKey)
  return isHidden ? (
    <span
      className={cx(styles['thumb'], styles['hiddenThumb'])}
      {...(alt === '' ? { 'aria-hidden': true } : { role: 'img', 'aria-label': alt })}
    >
      <Icon name="image" size={20} />
    </span>
  ) : (
    <span className={styles['thumb']}>
      <Picture mediaKey={mediaKey} variant="thumb" alt={alt} blurred={isBlurred} moves />
    </span>
  )
}
