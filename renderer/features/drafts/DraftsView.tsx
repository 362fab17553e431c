import { useState, useId } from 'react'
import { type Draft, NEW_POLL } from '#shared/domain/draft.ts'
import { excerpt } from '#shared/rules/messages/text.ts'
import type { OutboxItem } from '#shared/domain/outbox.ts'
import { useTexts, useFormats } from '../../i18n/index.ts'
import { announce } from '../../lib/page/announce.ts'
import { useRoving } from '../../lib/page/roving.ts'
import { useAppDispatch, useAppSelector, useChannel } from '../../store/hooks.ts'
import { dialogOpened } from '../../store/window/ui.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Empty } from '../../ui/View/Empty.tsx'
import { View } from '../../ui/View/View.tsx'
import { selectDrafts, selectScheduled } from '../../store/composers/unsent.ts'
import { richText } from '../../lib/text/rich.tsx'
import { useMinute } from '../../lib/time/clocks.ts'
import { selectMessage } from '../../store/selectors.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { IconButton } from '../../ui/Button/IconButton.tsx'
import { useMenu } from '../../ui/Menu/Menu.tsx'
import { channelTitle, PlaceTabs } from '../sidebar/index.ts'
import { EmojiText } from '../emoji/index.ts'
import { ScheduleDialog } from '../composer/index.ts'
import { takeBackItem } from '../outbox/index.ts'
import { continueDraft, discardDraft, restoreDraft, reschedule } from './commands.ts'
import styles from './Drafts.module.css'

type Props = {
  /** Below 640 px: goes back to the list. */
  readonly onBack?: () => void
}

/** All drafts: place, text, time. A click continues writing there. */
export function DraftsView({ onBack }: Props) {
  const t = useTexts('drafts')
  const common = useTexts('common')
  const dispatch = useAppDispatch()
  return (
    <View
      icon="draft"
      title={t('title')}
      subtitle={t('subtitle')}
      back={onBack && { label: common('back'), onPress: onBack }}
      banner={<PlaceTabs of="later" />}
      actions={
        <Button size="small" icon="clock" onClick={() => dispatch(dialogOpened({ kind: 'draft-history' }))}>
          {t('history.open')}
        </Button>
      }
    >
      <Scheduled />
      <DraftList />
    </View>
  )
}

function DraftList() {
  const t = useTexts('drafts')
  const dispatch = useAppDispatch()
  const drafts = useAppSelector(selectDrafts)
  const [discardedDrafts, setDiscarded] = useState<readonly Draft[]>([])
  const rows = withDiscarded(drafts, discardedDrafts)
  const { containerProps, itemProps } = useRoving({ ids: rows.map(({ draft }) => draft.key) })
  const { ref, ...listeners } = containerProps
  const planned = useAppSelector(selectScheduled).length > 0
  if (rows.length === 0) {
    return planned ? null : (
      <Empty scene="lines" title={t('empty')}>
        {t('emptyText')}
      </Empty>
    )
  }
  const discard = async (draft: Draft): Promise<void> => {
    const dropped = await dispatch(discardDraft(draft))
    if (!dropped.ok) return
    setDiscarded((before) => [...before, draft])
    announce(t('discarded'))
  }
  const undo = async (draft: Draft): Promise<void> => {
    const restored = await dispatch(restoreDraft(draft))
    if (!restored.ok) return
    setDiscarded((before) => before.filter(({ key }) => key !== draft.key))
    announce(t('restored'))
  }
  return (
    <ul
      ref={(element) => {
        ref.current = element
      }}
      className={styles['list']}
      aria-label={t('list')}
      {...listeners}
    >
      {rows.map(({ draft, discarded }) =>
        discarded ? (
          <DiscardedRow key={draft.key} draft={draft} item={itemProps(draft.key)} onUndo={() => void undo(draft)} />
        ) : (
          <DraftRow
            key={draft.key}
            draft={draft}
            item={itemProps(draft.key)}
            onOpen={() => dispatch(continueDraft(draft))}
            onDiscard={() => void discard(draft)}
          />
        ),
      )}
    </ul>
  )
}

type Row = { readonly draft: Draft; readonly discarded: boolean }

/** A discarded draft stays in the list with an Undo button until the view is left, so that nothing moves under the pointer. */
function withDiscarded(drafts: readonly Draft[], discarded: readonly Draft[]): readonly Row[] {
  const live = new Set(drafts.map(({ key }) => key))
  return [
    ...drafts.map((draft) => ({ draft, discarded: false })),
    ...discarded.filter(({ key }) => !live.has(key)).map((draft) => ({ draft, discarded: true })),
  ].toSorted((a, b) => b.draft.updatedAt - a.draft.updatedAt)
}

type ItemProps = { readonly tabIndex: 0 | -1; readonly 'data-roving-id': string }

type DraftRowProps = {
  readonly draft: Draft
  readonly item: ItemProps
  readonly onOpen: () => void
  readonly onDiscard: () => void
}

function DraftRow({ draft, item, onOpen, onDiscard }: DraftRowProps) {
  const t = useTexts('drafts')
  const place = usePlaceName(draft)
  const files = draft.uploads.length
  const poll = draft.polls?.[NEW_POLL]
  return (
    <li className={styles['row']} data-draft={draft.key}>
      <button
        type="button"
        className={styles['open']}
        {...item}
        onClick={onOpen}
        onKeyDown={(event) => event.key === 'Delete' && onDiscard()}
      >
        <PlaceGlyph draft={draft} />
        <span className={styles['body']}>
          <span className={styles['where']}>
            <b>{place}</b>
            <ThreadExcerpt draft={draft} />
            {draft.edit === undefined ? null : (
              <span className={styles['tag']}>
                <Icon name="pencil" size={12} />
                {t('editing')}
              </span>
            )}
            {poll === undefined ? null : (
              <span className={styles['tag']}>
                <Icon name="poll" size={12} />
                {t('poll')}
              </span>
            )}
            {files > 0 ? (
              <span className={styles['tag']}>
                <Icon name="paperclip" size={12} />
                {t('files', { count: files })}
              </span>
            ) : null}
          </span>
          <span className={styles['text']}>
            <EmojiText
              text={excerpt(draft.edit?.text ?? draft.text, 400) || excerpt(poll?.name ?? '', 400) || t('noText')}
            />
          </span>
        </span>
        <When at={draft.updatedAt} />
      </button>
      <span className={styles['actions']}>
        <IconButton size="small" icon="arrow-right" label={t('continueIn', { place })} onClick={onOpen} />
        <IconButton size="small" icon="trash" label={t('discardIn', { place })} onClick={onDiscard} />
      </span>
    </li>
  )
}

type DiscardedProps = { readonly draft: Draft; readonly item: ItemProps; readonly onUndo: () => void }

function DiscardedRow({ draft, item, onUndo }: DiscardedProps) {
  const t = useTexts('drafts')
  const place = usePlaceName(draft)
  return (
    <li className={styles['gone']}>
      <span>
        <b>{place}</b> {t('discarded')}
      </span>
      <Button size="small" icon="undo" {...item} onClick={onUndo}>
        {t('undo')}
      </Button>
    </li>
  )
}

function usePlaceName({ cid }: Draft): string {
  const t = useTexts('drafts')
  const title = useAppSelector((state) => channelTitle(state, cid))
  return title === '' ? t('unknownPlace') : title
}

function PlaceGlyph({ draft }: { readonly draft: Draft }) {
  const channel = useChannel(draft.cid)
  const direct = (channel?.directUserIds.length ?? 0) > 0
  const name = draft.parentId !== undefined ? 'thread' : direct ? 'chat' : channel?.isPrivate === true ? 'lock' : 'hash'
  return (
    <span className={styles['glyph']}>
      <Icon name={name} size={18} />
    </span>
  )
}

function ThreadExcerpt({ draft }: { readonly draft: Draft }) {
  const t = useTexts('drafts')
  const parent = useAppSelector((state) => (draft.parentId ? selectMessage(state, draft.parentId) : undefined))
  if (draft.parentId === undefined) return null
  const text = parent === undefined ? '' : excerpt(parent.text, 48)
  return (
    <span className={styles['thread']}>
      {text === ''
        ? t('inThreadUnknown')
        : richText((values) => t('inThread', values), { text: <EmojiText text={text} /> })}
    </span>
  )
}

function When({ at }: { readonly at: number }) {
  const t = useTexts('drafts')
  const { listTime } = useFormats()
  const now = useMinute()
  return <span className={styles['when']}>{t('edited', { when: listTime(at, now) })}</span>
}

/** Scheduled messages, the soonest first; nothing if there are none. */
function Scheduled() {
  const t = useTexts('drafts')
  const headId = useId()
  const items = useAppSelector(selectScheduled)
  const { containerProps, itemProps } = useRoving({ ids: items.map(({ id }) => id) })
  const { ref, ...listeners } = containerProps
  if (items.length === 0) return null
  return (
    <section className={styles['scheduled']} aria-labelledby={headId}>
      <h2 id={headId}>{t('scheduled.title')}</h2>
      <p>{t('scheduled.mustBeOpen')}</p>
      <ul
        ref={(element) => {
          ref.current = element
        }}
        aria-labelledby={headId}
        {...listeners}
      >
        {items.map((item) => (
          <ScheduledRow key={item.id} item={item} tabStop={itemProps(item.id)} />
        ))}
      </ul>
    </section>
  )
}

type RowProps = {
  readonly item: OutboxItem & { readonly sendAt: number }
  readonly tabStop: { readonly tabIndex: 0 | -1; readonly 'data-roving-id': string }
}

function ScheduledRow({ item, tabStop }: RowProps) {
  const t = useTexts('drafts')
  const { dayAndTime } = useFormats()
  const dispatch = useAppDispatch()
  const place = useAppSelector((state) => channelTitle(state, item.cid)) || t('unknownPlace')
  const [choosing, setChoosing] = useState(false)
  const { menu, openAt } = useMenu({
    label: t('scheduled.menu', { place }),
    items: () => [
      {
        id: 'now',
        icon: 'arrow-up',
        label: t('scheduled.now'),
        onSelect: () => void dispatch(reschedule({ id: item.id })),
      },
      { id: 'change', icon: 'alarm', label: t('scheduled.change'), onSelect: () => setChoosing(true) },
      {
        id: 'edit',
        icon: 'undo',
        label: t('scheduled.edit'),
        onSelect: () => void dispatch(takeBackItem({ id: item.id })),
      },
    ],
    placement: { side: 'below', align: 'end', gap: 4 },
  })
  return (
    <li className={styles['row']} data-scheduled={item.id}>
      <button
        type="button"
        className={styles['open']}
        aria-haspopup="menu"
        {...tabStop}
        onClick={(event) => openAt(event.currentTarget)}
      >
        <span className={styles['glyph']}>
          <Icon name="clock" size={18} />
        </span>
        <span className={styles['body']}>
          <span className={styles['where']}>
            <b>{place}</b>
            {item.fileCount > 0 ? (
              <span className={styles['tag']}>
                <Icon name="paperclip" size={12} />
                {t('files', { count: item.fileCount })}
              </span>
            ) : null}
          </span>
          <span className={styles['text']}>{item.summary || t('noText')}</span>
        </span>
        <span className={styles['when']}>{t('scheduled.when', { when: dayAndTime(item.sendAt) })}</span>
      </button>
      <span className={styles['actions']}>
        <IconButton
          size="small"
          icon="more"
          label={t('scheduled.menu', { place })}
          aria-haspopup="menu"
          onClick={(event) => openAt(event.currentTarget)}
        />
      </span>
      {menu}
      {choosing ? (
        <ScheduleDialog
          start={item.sendAt}
          onChoose={(at) => void dispatch(reschedule({ id: item.id, at }))}
          onClose={() => setChoosing(false)}
        />
      ) : null}
    </li>
  )
}
