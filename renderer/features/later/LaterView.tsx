import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { announce } from '../../lib/page/announce.ts'
import { useRoving } from '../../lib/page/roving.ts'
import { keyOf } from '../../lib/text/chords.ts'
import { selectReminderTimes, useReminderClock } from '../../store/reminders.ts'
import { useAppDispatch, useAppSelector, useWindow } from '../../store/hooks.ts'
import type { AppDispatch } from '../../store/store.ts'
import { dialogOpened } from '../../store/window/ui.ts'
import { LATER_KINDS, laterFiltered, type LaterKind, type LaterShown } from '../../store/window/views.ts'
import { Button, IconButton } from '../../ui/Button/Button.tsx'
import { Dialog, DialogText } from '../../ui/Dialog/Dialog.tsx'
import { Icon, type IconName } from '../../ui/Icon/Icon.tsx'
import { useMenu } from '../../ui/Menu/Menu.tsx'
import { Empty } from '../../ui/View/Empty.tsx'
import { View } from '../../ui/View/View.tsx'
import { ConnectionBanner, Unanswered } from '../connection/index.ts'
import { discardItem, useOutboxWindow } from '../outbox/index.ts'
import { RemindMenu, useReminderMessages } from '../reminders/index.ts'
import { countOf, groupsOf, needsUser, selectLater, type Group, type LaterItem, actionsOn } from './items.ts'
import { LaterRow } from './rows.tsx'
import styles from './Later.module.css'

type Props = {
  /** Below 640 px: goes back to the list. */
  readonly onBack?: () => void
}

/** Everything that was put aside, in the order in which it needs the user. */
export function LaterView({ onBack }: Props) {
  const t = useTexts('later')
  const common = useTexts('common')
  const dispatch = useAppDispatch()
  const heading = useRef<HTMLHeadingElement>(null)
  const items = useAppSelector(selectLater)
  const shown = useAppSelector(({ views }) => views.later)
  const now = useReminderClock(useAppSelector(selectReminderTimes))
  useReminderMessages(true)
  useOutboxWindow()
  const isOfServer = shown !== 'drafts' && shown !== 'scheduled' && shown !== 'outbox'
  const unanswered = useWindow('later')?.unanswered === true && isOfServer
  const groups = groupsOf(items, shown, now)
  const column = useRef<HTMLDivElement>(null)
  /** 1 to 6 choose what is shown. */
  const onDigit = (event: KeyboardEvent): void => {
    const pill = PILLS[Number(keyOf(event)) - 1]
    if (pill === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    event.stopPropagation()
    dispatch(laterFiltered(pill))
    announce(t('shown', { kind: t(`kinds.${pill}`) }))
    column.current?.querySelector<HTMLElement>(`[data-roving-id="${pill}"]`)?.focus()
  }
  return (
    <View
      icon="bookmark"
      title={t('title')}
      subtitle={t('subtitle')}
      back={onBack && { label: common('back'), onPress: onBack }}
      banner={<ConnectionBanner />}
      heading={heading}
      actions={
        <>
          <NewReminder />
          <MoreMenu />
        </>
      }
    >
      <div ref={column} role="presentation" className={styles['column']} onKeyDown={onDigit}>
        <Pills items={items} shown={shown} now={now} />
        {shown === 'scheduled' && groups.length > 0 ? <p className={styles['note']}>{t('mustBeOpen')}</p> : null}
        {unanswered ? <Unanswered part="reminders" /> : null}
        {groups.length > 0 ? (
          <LaterList groups={groups} now={now} heading={heading} />
        ) : unanswered ? null : (
          <Empty
            scene="clock"
            title={t(`empty.${shown}`)}
            action={
              shown === 'all' ? (
                <Button onClick={() => dispatch(dialogOpened({ kind: 'new-reminder' }))}>{t('new')}</Button>
              ) : undefined
            }
          >
            {t(`empty.${shown}Text`)}
          </Empty>
        )}
      </div>
    </View>
  )
}

/** In a narrow window only its sign. */
function NewReminder() {
  const t = useTexts('later')
  const dispatch = useAppDispatch()
  return (
    <Button
      size="small"
      variant="primary"
      icon="plus"
      aria-label={t('new')}
      onClick={() => dispatch(dialogOpened({ kind: 'new-reminder' }))}
    >
      <span className={styles['newText']}>{t('new')}</span>
    </Button>
  )
}

function MoreMenu() {
  const t = useTexts('later')
  const dispatch = useAppDispatch()
  const menu = useMenu({
    label: t('more'),
    items: () => [
      { id: 'done', icon: 'check', label: t('showDone'), onSelect: () => void dispatch(laterFiltered('done')) },
      {
        id: 'history',
        icon: 'history',
        label: t('draftHistory'),
        onSelect: () => void dispatch(dialogOpened({ kind: 'draft-history' })),
      },
    ],
  })
  return (
    <>
      <IconButton icon="more" label={t('more')} {...menu.triggerProps} />
      {menu.menu}
    </>
  )
}

const PILLS: readonly (LaterKind | 'all')[] = ['all', ...LATER_KINDS]
const ICONS: Readonly<Record<LaterKind | 'done', IconName>> = {
  saved: 'bookmark',
  reminders: 'alarm',
  drafts: 'draft',
  scheduled: 'calendar',
  outbox: 'outbox',
  done: 'check',
}

type PillsProps = { readonly items: readonly LaterItem[]; readonly shown: LaterShown; readonly now: number }

/** What is shown, with counts. A dot says that something of this kind needs the user. */
function Pills({ items, shown, now }: PillsProps) {
  const t = useTexts('later')
  const dispatch = useAppDispatch()
  const pills: readonly LaterShown[] = shown === 'done' ? [...PILLS, 'done'] : PILLS
  const roving = useRoving({ ids: pills, orientation: 'horizontal', wrap: true, initialId: shown })
  const { ref, ...listeners } = roving.containerProps
  // In one column the pills scroll: the one that is shown is whole.
  useEffect(() => {
    ref.current?.querySelector(`[data-roving-id="${shown}"]`)?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [ref, shown])
  return (
    <div className={styles['scroller']}>
      <div
        ref={(element) => {
          ref.current = element
        }}
        role="toolbar"
        aria-label={t('filter')}
        className={styles['pills']}
        {...listeners}
      >
        {pills.map((name) => {
          const count = name === 'done' ? 0 : countOf(items, name)
          const needs = name !== 'all' && items.some((item) => item.kind === name && needsUser(item, now))
          return (
            <button
              key={name}
              type="button"
              className={styles['pill']}
              aria-pressed={name === shown}
              {...roving.itemProps(name)}
              onClick={() => dispatch(laterFiltered(name))}
            >
              {name === 'all' ? null : <Icon name={ICONS[name]} size={15} />}
              {t(`kinds.${name}`)}
              {count === 0 ? null : <span className={styles['count']}>{count}</span>}
              {needs ? <span className={styles['dot']} role="img" aria-label={t('needs')} /> : null}
            </button>
          )
        })}
      </div>
    </div>
  )
}

type ListProps = {
  readonly groups: readonly Group[]
  readonly now: number
  /** Takes the focus when the last row is gone. */
  readonly heading: RefObject<HTMLHeadingElement | null>
}

/**
 * The rows. One tab stop: arrows or J and K move, Enter opens, E completes, H snoozes, Ctrl+Enter sends now, Delete
 * removes, X selects, Escape ends the selection.
 */
function LaterList({ groups, now, heading }: ListProps) {
  const t = useTexts('later')
  const dispatch = useAppDispatch()
  const rows = useRows(
    groups.flatMap((group) => group.items),
    heading,
  )
  const { roving, menu, setMenu, asked, setAsked, selected, endSelection, actsOn, leave } = rows
  const { ref, onKeyDown, onFocus } = roving.containerProps
  const onLetter = useLetters(rows)
  return (
    <div
      ref={(element) => {
        ref.current = element
      }}
      role="presentation"
      onFocus={onFocus}
      onKeyDown={(event) => {
        onLetter(event)
        onKeyDown(event)
      }}
    >
      {selected.length === 0 ? null : <Selected items={selected} onAsk={setAsked} onEnd={endSelection} />}
      {groups.map(({ name, items }) => (
        <section key={name} aria-label={t(`groups.${name}`)}>
          <h2 className={styles['groupHead']}>
            {t(`groups.${name}`)} <span className={styles['count']}>{items.length}</span>
          </h2>
          <ul>
            {items.map((item) => (
              <LaterRow
                key={item.id}
                item={item}
                now={now}
                needs={name === 'needs'}
                held={menu?.item.id === item.id}
                selected={selected.includes(item)}
                rowProps={roving.itemProps(item.id)}
                acts={actsOn(item)}
              />
            ))}
          </ul>
        </section>
      ))}
      {menu !== undefined && 'reminder' in menu.item ? (
        <RemindMenu messageId={menu.item.reminder.messageId} anchor={menu.anchor} onClose={() => setMenu(undefined)} />
      ) : null}
      {asked[0] === undefined ? null : (
        <DeleteQuestion
          count={asked.length}
          onClose={() => setAsked([])}
          onDelete={() => {
            const [first] = asked
            setAsked([])
            endSelection()
            const work = Promise.all(asked.map((item) => removed(item, dispatch)))
            if (first !== undefined)
              void leave(
                first,
                work.then((all) => all.every(Boolean)),
              )
          }}
        />
      )}
    </div>
  )
}

/** Selection, focus, and what keys and buttons of the rows do. */
function useRows(items: readonly LaterItem[], heading: ListProps['heading']) {
  const t = useTexts('later')
  const dispatch = useAppDispatch()
  const ids = items.map(({ id }) => id)
  const roving = useRoving({ ids })
  const { ref } = roving.containerProps
  const [menu, setMenu] = useState<{ readonly item: LaterItem; readonly anchor: Element }>()
  const [asked, setAsked] = useState<readonly LaterItem[]>([])
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const selected = items.filter(({ id }) => chosen.has(id))
  const select = (id: string): void => {
    const next = new Set(selected.map((each) => each.id))
    if (!next.delete(id)) next.add(id)
    setChosen(next)
    announce(t('selected', { count: next.size }))
  }
  /** The row goes away: the focus moves to the next one, else to the previous one. */
  const leave = async (item: LaterItem, work: Promise<boolean>): Promise<void> => {
    const at = ids.indexOf(item.id)
    const neighbour = ids[at + 1] ?? ids[at - 1]
    const isFocused = ref.current?.contains(document.activeElement) === true
    if (!(await work) || !isFocused) return
    if (neighbour === undefined) heading.current?.focus()
    else roving.focus(neighbour)
  }
  const actsOn = (item: LaterItem) => {
    const { done, sendNow, remove, ...acts } = actionsOn(item, dispatch)
    return {
      ...acts,
      done: done && (() => void leave(item, done())),
      sendNow: sendNow && (() => void leave(item, sendNow())),
      // What cannot be brought back is asked about first.
      remove: remove === undefined ? () => setAsked([item]) : () => void leave(item, remove()),
      select: () => select(item.id),
      snooze: 'reminder' in item ? (anchor: Element) => setMenu({ item, anchor }) : undefined,
    }
  }
  const endSelection = (): void => setChosen(new Set())
  return { items, ids, roving, menu, setMenu, asked, setAsked, selected, endSelection, actsOn, leave }
}

function useLetters({ items, ids, roving, selected, endSelection, actsOn }: ReturnType<typeof useRows>) {
  return (event: KeyboardEvent): void => {
    const target = event.target instanceof Element ? event.target.closest('[data-later]') : null
    const item = items.find(({ id }) => id === target?.getAttribute('data-later'))
    if (item === undefined || target === null || event.altKey || event.metaKey) return
    const at = ids.indexOf(item.id)
    const { snooze, ...acts } = actsOn(item)
    const run = event.ctrlKey
      ? { Enter: acts.sendNow }[keyOf(event)]
      : {
          j: () => roving.focus(ids[Math.min(at + 1, ids.length - 1)] ?? item.id),
          k: () => roving.focus(ids[Math.max(at - 1, 0)] ?? item.id),
          e: acts.done,
          x: acts.select,
          Escape: selected.length === 0 ? undefined : endSelection,
          h: snooze && (() => snooze(target)),
          Delete: acts.remove,
        }[keyOf(event)]
    if (run === undefined) return
    event.preventDefault()
    event.stopPropagation()
    run()
  }
}

/** Deletes something, with Undo where it has one. */
const removed = async (item: LaterItem, dispatch: AppDispatch): Promise<boolean> =>
  'item' in item
    ? (await dispatch(discardItem({ id: item.item.id }))).ok
    : ((await actionsOn(item, dispatch).remove?.()) ?? false)

type SelectedProps = {
  readonly items: readonly LaterItem[]
  /** Some of them cannot be brought back. */
  readonly onAsk: (items: readonly LaterItem[]) => void
  readonly onEnd: () => void
}

/** What can be done with all selected rows at once. */
function Selected({ items, onAsk, onEnd }: SelectedProps) {
  const t = useTexts('later')
  const dispatch = useAppDispatch()
  const [anchor, setAnchor] = useState<Element>()
  const reminders = items.flatMap((item) => ('reminder' in item ? [item.reminder.messageId] : []))
  const [first, ...others] = reminders
  const complete = async (): Promise<void> => {
    await Promise.all(items.flatMap((item) => actionsOn(item, dispatch).done?.() ?? []))
    onEnd()
  }
  const remove = async (): Promise<void> => {
    if (items.some((item) => 'item' in item)) return onAsk(items)
    await Promise.all(items.map((item) => removed(item, dispatch)))
    onEnd()
  }
  return (
    <div className={styles['selection']} role="toolbar" aria-label={t('selected', { count: items.length })}>
      <strong>{t('selected', { count: items.length })}</strong>
      {first === undefined ? null : (
        <>
          <Button size="small" icon="check" onClick={() => void complete()}>
            {t('several.done')}
          </Button>
          <Button size="small" icon="alarm" aria-haspopup="menu" onClick={(event) => setAnchor(event.currentTarget)}>
            {t('act.snooze')}
          </Button>
        </>
      )}
      <Button size="small" icon="trash" onClick={() => void remove()}>
        {t('act.delete')}
      </Button>
      <IconButton size="small" icon="x" label={t('several.end')} onClick={onEnd} />
      {anchor === undefined || first === undefined ? null : (
        <RemindMenu messageId={first} others={others} anchor={anchor} onClose={() => setAnchor(undefined)} />
      )}
    </div>
  )
}

type QuestionProps = { readonly count: number; readonly onClose: () => void; readonly onDelete: () => void }

/** A message that was not sent is gone for good when it is deleted. */
function DeleteQuestion({ count, onClose, onDelete }: QuestionProps) {
  const t = useTexts('later')
  const common = useTexts('common')
  const cancel = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      alert
      width={400}
      title={count === 1 ? t('delete.title') : t('delete.several', { count })}
      initialFocus={cancel}
      onClose={onClose}
      actions={
        <>
          <Button ref={cancel} onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button variant="danger" onClick={onDelete}>
            {t('delete.confirm')}
          </Button>
        </>
      }
    >
      <DialogText>{t(count === 1 ? 'delete.text' : 'delete.severalText')}</DialogText>
    </Dialog>
  )
}
