import {
  useCallback,
  useEffect,
  useId,
  useRef,
  type KeyboardEvent,
  useState,
  type ReactNode,
  type RefObject,
  useMemo,
} from 'react'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { useTexts, useRemark, useFormats } from '../../i18n/index.ts'
import { useDwell } from '../../lib/page/dwell.ts'
import { useBreakpoint, usePageInView } from '../../lib/page/environment.ts'
import {
  useAppDispatch,
  useAppSelector,
  useAppServices,
  useChannel,
  useHost,
  useCanParticipate,
  useWindow,
  useSession,
} from '../../store/hooks.ts'
import { panelClosed, wentBack } from '../../store/window/ui.ts'
import { Composer } from '../composer/index.ts'
import {
  showWide,
  type ThreadPlace,
  showInChannel,
  followThread,
  markThreadUnread,
  renameThread,
  usePlaceName,
  useThreadTitle,
  closeThread,
  markThreadRead,
  openThread,
  pageThread,
} from './commands.ts'
import { announce } from '../../lib/page/announce.ts'
import { selectMessage, selectSession } from '../../store/selectors.ts'
import { type MenuItem, useMenu } from '../../ui/Menu/Menu.tsx'
import type { IconName } from '../../ui/Icon/Icon.tsx'
import type { AppState } from '../../store/store.ts'
import { Button, IconButton } from '../../ui/Button/Button.tsx'
import { Dialog } from '../../ui/Dialog/Dialog.tsx'
import { TextField } from '../../ui/Field/TextField.tsx'
import { cx } from '../../lib/cx.ts'
import { Tooltip } from '../../ui/Popover/Popover.tsx'
import styles from './ThreadPanel.module.css'
import { ConnectionBanner } from '../connection/index.ts'
import { EmojiText } from '../emoji/index.ts'
import { openWindow } from '../windows/index.ts'
import { type OpenAt, MessagePane, MessageRow, useUnreadLine } from '../messages/index.ts'
import { Faces, useNames } from '../people/index.ts'
import participantsStyles from './Inbox.module.css'

/** A message and its replies in the side panel. */
export function ThreadPanel(place: ThreadPlace) {
  return <Thread key={place.parentId} {...place} />
}

function Thread({ cid, parentId }: ThreadPlace) {
  const t = useTexts('thread')
  const dispatch = useAppDispatch()
  const common = useTexts('common')
  const isNarrow = useBreakpoint() === 'narrow'
  const titleId = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (document.activeElement?.matches('button:focus-visible') === true) {
      heading.current?.focus({ preventScroll: true })
    }
  }, [])
  const close = useCallback(() => dispatch(panelClosed()), [dispatch])
  const place = { cid, parentId }
  return (
    <section
      className={styles['panel']}
      aria-labelledby={titleId}
      onKeyDown={(event) => {
        if (!isPlainEscape(event)) return
        // One press closes one layer: the window must not handle the same key.
        event.preventDefault()
        close()
      }}
    >
      <ThreadHead
        {...place}
        id={titleId}
        heading={heading}
        where="panel"
        // In one column a panel covers the whole window, so it is left with Back.
        before={
          isNarrow ? <IconButton icon="arrow-left" label={common('back')} keys={['Esc']} onClick={close} /> : undefined
        }
        other={{ icon: 'monitor', label: t('head.wide'), onPress: () => dispatch(showWide(place)) }}
      >
        {isNarrow ? null : <IconButton icon="x" label={t('close')} keys={['Esc']} onClick={close} />}
      </ThreadHead>
      <Replies {...place} />
      <Composer {...place} />
    </section>
  )
}

/** Escape closes the panel unless something inside it used the key first. */
const isPlainEscape = (event: KeyboardEvent): boolean =>
  event.key === 'Escape' &&
  !event.defaultPrevented &&
  !event.nativeEvent.isComposing &&
  event.target instanceof Node &&
  event.currentTarget.contains(event.target)

/** A thread in the full view, or in a separate window. */
export function ThreadView({ cid, parentId }: ThreadPlace) {
  const t = useTexts('thread')
  const dispatch = useAppDispatch()
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const canGoBack = useAppSelector((state) => state.ui.back.length > 0)
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [])
  const place = { cid, parentId }
  // A separate window has nothing to go back to.
  const alone = useAppServices().own?.parentId === parentId
  const leave = (): void => {
    if (canGoBack) dispatch(wentBack())
    else dispatch(showInChannel(place))
  }
  return (
    <main className={styles['sheet']} aria-labelledby={id}>
      <ThreadHead
        {...place}
        id={id}
        heading={heading}
        where={alone ? 'window' : 'sheet'}
        before={alone ? undefined : <IconButton icon="arrow-left" label={t('head.backThreads')} onClick={leave} />}
        {...(alone
          ? {}
          : {
              other: {
                icon: 'panel-right' as const,
                label: t('head.beside'),
                onPress: () => dispatch(showInChannel(place)),
              },
            })}
      />
      <ConnectionBanner />
      <div className={styles['wide']} data-region="messages">
        <Replies {...place} />
      </div>
      <div className={styles['wideComposer']} data-region="composer">
        <Composer {...place} />
      </div>
    </main>
  )
}

type Props = ThreadPlace & {
  readonly id: string
  readonly heading?: RefObject<HTMLHeadingElement | null>
  /** In the panel the parent message is visible, so an untitled thread shows no excerpt of it. */
  readonly where: 'panel' | 'sheet' | 'window'
  /** Menu item that switches between panel and full view. */
  readonly other?: { readonly icon: IconName; readonly label: string; readonly onPress: () => void }
  readonly before?: ReactNode
  readonly children?: ReactNode
}

/** Title, channel, Follow button and menu of a thread. */
function ThreadHead({ cid, parentId, id, heading, where, other, before, children }: Props) {
  const t = useTexts('thread')
  const dispatch = useAppDispatch()
  const named = useAppSelector((state) => selectMessage(state, parentId)?.thread?.title !== undefined)
  const text = useThreadTitle(parentId)
  const Heading = where === 'panel' ? 'h2' : 'h1'
  const thread = useAppSelector((state) => selectMessage(state, parentId)?.thread)
  const [renaming, setRenaming] = useState(false)
  const menu = useThreadMenu({ cid, parentId, where, other, onRename: () => setRenaming(true) })
  const follows = thread?.following === true
  const canParticipate = useCanParticipate()
  const toggle = async (): Promise<void> => {
    const done = await dispatch(followThread({ cid, parentId, follows: !follows }))
    if (done.ok) announce(t(follows ? 'unfollowed' : 'followed'))
  }
  return (
    <header
      className={styles['head']}
      data-region={where === 'panel' ? undefined : 'header'}
      data-back={before === undefined ? undefined : ''}
    >
      {before}
      <div className={styles['names']}>
        <Heading ref={heading} id={id} tabIndex={-1} className="ellipsis" dir="auto">
          {where === 'panel' && !named ? t('title') : <EmojiText text={text} />}
        </Heading>
        <Place cid={cid} count={thread?.replyCount ?? 0} />
      </div>
      {thread === undefined || !canParticipate ? null : (
        <IconButton
          icon={follows ? 'bell' : 'bell-off'}
          label={t(follows ? 'head.unfollow' : 'head.follow')}
          pressed={follows}
          onClick={() => void toggle()}
        />
      )}
      <IconButton icon="more" label={t('head.more')} {...menu.triggerProps} />
      {menu.element}
      {children}
      {renaming ? <RenameDialog cid={cid} parentId={parentId} onClose={() => setRenaming(false)} /> : null}
    </header>
  )
}

function Place({ cid, count }: { readonly cid: string; readonly count: number }) {
  const t = useTexts('thread')
  const place = usePlaceName(cid)
  return (
    <bdi className={`${styles['place']} ellipsis`}>
      {count === 0 ? place : t('place', { place, replies: t('replies.count', { count }) })}
    </bdi>
  )
}

type MenuOptions = ThreadPlace & Pick<Props, 'where' | 'other'> & { readonly onRename: () => void }

function useThreadMenu({ cid, parentId, where, other, onRename }: MenuOptions) {
  const t = useTexts('thread')
  const dispatch = useAppDispatch()
  const channel = useChannel(cid)
  const { capabilities } = useHost()
  const canRename = useAppSelector((state) => mayRename(state, { cid, parentId }))
  const hasReplies = useAppSelector((state) => selectMessage(state, parentId)?.thread !== undefined)
  const isDirect = (channel?.directUserIds.length ?? 0) > 0
  const items = (): readonly MenuItem[] => [
    ...(canRename ? [{ id: 'rename', label: t('head.rename'), icon: 'pencil' as const, onSelect: onRename }] : []),
    ...(hasReplies && channel?.config.readEvents === true
      ? [
          {
            id: 'unread',
            label: t('head.unread'),
            icon: 'eye-off' as const,
            onSelect: () => void dispatch(markThreadUnread({ cid, parentId })),
          },
        ]
      : []),
    ...(other === undefined ? [] : [{ id: 'other', label: other.label, icon: other.icon, onSelect: other.onPress }]),
    ...(where === 'window' || !capabilities.severalWindows
      ? []
      : [
          {
            id: 'window',
            label: t('head.window'),
            icon: 'external-link' as const,
            onSelect: () => dispatch(openWindow({ cid, parentId })),
          },
        ]),
    ...(where === 'window'
      ? []
      : [
          {
            id: 'channel',
            label: isDirect ? t('head.channelDirect') : t('head.channel', { name: channel?.name ?? '' }),
            icon: isDirect ? ('chat' as const) : ('hash' as const),
            onSelect: () => dispatch(showInChannel({ cid, parentId })),
          },
        ]),
  ]
  const menu = useMenu({ label: t('head.more'), items, placement: { side: 'below', align: 'end', gap: 4 } })
  return {
    triggerProps: menu.triggerProps,
    element: menu.menu,
  }
}

/** The user who started the thread, and those who may change any thread: the rule of the server. See docs/wire.md 8.1. */
function mayRename(state: AppState, { cid, parentId }: ThreadPlace): boolean {
  const message = state.entities.messages[parentId]
  const channel = state.entities.channels[cid]
  if (message?.thread === undefined || channel === undefined || channel.frozen) return false
  const own = message.userId === selectSession(state).userId && channel.capabilities.includes('update-own-message')
  return own || channel.capabilities.includes('update-thread')
}

/** Longest title. See docs/wire.md 3.5. */
const MAX_TITLE = 255

type RenameDialogProps = ThreadPlace & { readonly onClose: () => void }

/** Sets a title for everyone; empty removes it. The typed text stays until the server accepts it. */
function RenameDialog({ cid, parentId, onClose }: RenameDialogProps) {
  const t = useTexts('thread')
  const dispatch = useAppDispatch()
  const before = useAppSelector((state) => selectMessage(state, parentId)?.thread?.title ?? '')
  const [title, setTitle] = useState(before)
  const formMessage = useRemark()
  const [working, setWorking] = useState(false)
  const isLong = title.trim().length > MAX_TITLE
  const save = async (): Promise<void> => {
    if (working || isLong) return
    if (title.trim() === before) return onClose()
    setWorking(true)
    const done = await dispatch(renameThread({ cid, parentId, title: title.trim() }))
    setWorking(false)
    if (done.ok) onClose()
    else formMessage.refuse(done.error)
  }
  return (
    <Dialog
      title={t('rename.title')}
      width={400}
      onSubmit={() => void save()}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('rename.cancel')}</Button>
          <Button variant="primary" type="submit" working={working}>
            {t('rename.save')}
          </Button>
        </>
      }
    >
      <TextField
        label={t('rename.field')}
        value={title}
        error={isLong ? t('rename.long') : formMessage.text}
        hint={t('rename.hint')}
        onChange={(value) => {
          formMessage.clear()
          setTitle(value)
        }}
      />
    </Dialog>
  )
}

/** The parent message and its replies, in the same list as a channel's. Opens at the first unread reply. */
function Replies({ cid, parentId }: ThreadPlace) {
  const t = useTexts('thread')
  const dispatch = useAppDispatch()
  const { line, moveTo } = useUnreadLine({ windowKey: `thread:${parentId}`, cid, parentId })
  const read = useThreadRead(cid, parentId)
  const isReloading = useWindow(`thread:${parentId}`)?.loading === 'initial'
  const onOpen = useCallback(
    (openAt: OpenAt) => dispatch(openThread({ cid, parentId, ...openAt })),
    [dispatch, cid, parentId],
  )
  // Best effort: a page that is closing may not be able to send it.
  const onClose = useCallback(() => void dispatch(closeThread({ parentId })), [dispatch, parentId])
  const onPage = useCallback(
    (direction: 'older' | 'newer') => void dispatch(pageThread({ parentId, direction })),
    [dispatch, parentId],
  )
  const onUnreadFrom = useCallback(
    (messageId: MessageId) => {
      read.holdBack()
      moveTo(messageId)
    },
    [read, moveTo],
  )
  return (
    <div className={styles['replies']}>
      {isReloading ? <div className={styles['reloading']} /> : null}
      <MessagePane
        windowKey={`thread:${parentId}`}
        cid={cid}
        parentId={parentId}
        label={t('replies.label')}
        lead={<ThreadLead parentId={parentId} />}
        unread={line}
        onOpen={onOpen}
        onClose={onClose}
        onPage={onPage}
        onAtEnd={read.onAtEnd}
        onUnreadFrom={onUnreadFrom}
      />
    </div>
  )
}

const NO_USERS: readonly string[] = []

/** The parent message, and the number of replies with their authors. */
function ThreadLead({ parentId }: { readonly parentId: MessageId }) {
  const t = useTexts('thread')
  const count = useAppSelector(({ entities, windows }) => {
    const known = entities.messages[parentId]?.thread?.replyCount ?? 0
    return Math.max(known, windows.byKey[`thread:${parentId}`]?.ids.length ?? 0)
  })
  const exists = useAppSelector(({ entities }) => entities.messages[parentId] !== undefined)
  const people = useAppSelector(({ entities }) => entities.messages[parentId]?.thread?.participantIds ?? NO_USERS)
  return (
    <div className={styles['lead']}>
      {exists ? (
        <MessageRow
          id={parentId}
          continued={false}
          focusable={false}
          held={false}
          readers={undefined}
          newestOwn={false}
          delivered={false}
        />
      ) : null}
      {count === 0 ? null : (
        <div className={styles['line']}>
          <span aria-hidden="true">{t('replies.count', { count })}</span>
          {people.length === 0 ? null : <Repliers userIds={people} />}
          <div className={styles['divider']} role="separator" aria-label={t('replies.count', { count })} />
        </div>
      )}
    </div>
  )
}

/** Portraits of the people who replied; their names are the tooltip and the accessible name. */
function Repliers({ userIds }: { readonly userIds: readonly string[] }) {
  const names = useParticipants(userIds)
  return (
    <Tooltip text={names} side="above">
      <span role="img" aria-label={names}>
        <Faces userIds={userIds} size={18} />
      </span>
    </Tooltip>
  )
}

/**
 * Marks a thread read once its newest reply is in view, the window has the focus, and the reader has stayed a moment.
 * `onAtEnd` is what the list calls when it reaches or leaves its end; `holdBack` suspends this until the thread is left,
 * after it was marked unread by hand.
 */
function useThreadRead(
  cid: Cid,
  parentId: MessageId,
): { readonly onAtEnd: (atEnd: boolean) => void; readonly holdBack: () => void } {
  const dispatch = useAppDispatch()
  const [atEnd, setAtEnd] = useState(false)
  const [byHand, setByHand] = useState(false)
  const watching = usePageInView()
  const newest = useAppSelector(({ windows }) => windows.byKey[`thread:${parentId}`]?.ids.at(-1))
  const read = useCallback(() => void dispatch(markThreadRead({ cid, parentId })), [dispatch, cid, parentId])
  useDwell(atEnd && !byHand && watching ? newest : undefined, read)
  const onAtEnd = useCallback((now: boolean) => setAtEnd(now), [])
  const holdBack = useCallback(() => setByHand(true), [])
  return useMemo(() => ({ onAtEnd, holdBack }), [onAtEnd, holdBack])
}

/** Number of people listed by name; others are counted. */
const MAX_NAMED = 3

/** The other participants, newest last: "with Priya, Jonas and 2 others"; empty if there are none. */
function useParticipants(userIds: readonly string[]): string {
  const t = useTexts('thread')
  const { list } = useFormats()
  const viewerId = useSession().userId
  const others = userIds.filter((id) => id !== viewerId)
  const names = useNames(others.length === 0 ? userIds : others)
  const rest = names.length - MAX_NAMED
  if (names.length === 0) return ''
  // Never "and 1 other", which is longer than a name.
  return rest <= 1
    ? t('with', { names: list(names) })
    : t('withOthers', { names: names.slice(0, MAX_NAMED).join(', '), count: rest })
}

/** Other participants of a thread, as far as one line shows them. */
export function Participants({ userIds }: { readonly userIds: readonly string[] }) {
  const text = useParticipants(userIds)
  return text === '' ? null : <span className={cx(participantsStyles['with'], 'ellipsis')}>{text}</span>
}
