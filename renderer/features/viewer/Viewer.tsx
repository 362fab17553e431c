import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { useTexts, useFormats } from '../../i18n/index.ts'
import { announce } from '../../lib/page/announce.ts'
import { keyOf, keysOf } from '../../lib/text/chords.ts'
import { useAppDispatch, useAppSelector, useAppStore, useEngine, useChannel, useHost } from '../../store/hooks.ts'
import { viewerClosed, type ViewerTarget, forwardOpened } from '../../store/window/overlays.ts'
import { IconButton } from '../../ui/Button/Button.tsx'
import { Modal } from '../../ui/Modal/Modal.tsx'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { useMinute } from '../../lib/time/clocks.ts'
import { placeOpened } from '../../store/window/ui.ts'
import { type MenuItem, useMenu } from '../../ui/Menu/Menu.tsx'
import { useWhen } from '../../ui/Dates/MessageTime.tsx'
import {
  altOf,
  copyPicture,
  isPdf,
  isPicture,
  mayMove,
  mediaRef,
  openFile,
  opensElsewhere,
  ownName,
  piecesOf,
  useDownload,
  labelKeyOf,
  iconOf,
  Picture,
  useBlurred,
  useThumbHidden,
} from '../attachments/index.ts'
import { EmojiText } from '../emoji/index.ts'
import { channelTitle } from '../sidebar/index.ts'
import { Portrait, useName } from '../people/index.ts'
import { Stage } from './Stage.tsx'
import {
  further,
  moved,
  nearer,
  turned,
  WHOLE,
  type Size,
  type View,
  galleryMessages,
  itemId,
  itemsOf,
  listAround,
  type Item,
} from './view.ts'
import styles from './Viewer.module.css'

const sameItems = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((one, index) => one === b[index])

/** The full-window viewer for images, videos, sounds and files. */
export function Viewer({ target }: { readonly target: ViewerTarget }) {
  const dispatch = useAppDispatch()
  const store = useAppStore()
  const [list] = useState(() => listAround(store.getState(), target))
  const messages = useAppSelector((state) => galleryMessages(state, list, target), sameItems)
  const items = useMemo(() => itemsOf(messages), [messages])
  const [place, setPlace] = useState({ id: itemId(target), at: 0 })
  const index = items.findIndex((item) => item.id === place.id)
  // The current item may be removed meanwhile: its neighbor replaces it.
  const at = index >= 0 ? index : Math.max(0, Math.min(place.at, items.length - 1))
  const item = items[at]
  useEffect(() => {
    if (item === undefined) dispatch(viewerClosed())
  }, [dispatch, item])
  if (item === undefined) return null
  const turnTo = (index: number): void => {
    const next = Math.max(0, Math.min(items.length - 1, index))
    setPlace({ id: items[next]?.id ?? place.id, at: next })
  }
  return <Room items={items} at={at} item={item} turnTo={turnTo} />
}

type RoomProps = {
  readonly items: readonly Item[]
  readonly at: number
  readonly item: Item
  readonly turnTo: (index: number) => void
}

/** The dialog: toolbar, stage, arrows, caption and thumbnails. */
function Room({ items, at, item, turnTo }: RoomProps) {
  const t = useTexts('messages')
  const { view, setView, stage, acts } = useActs(item)
  const name = ownName(item.attachment) || t(labelKeyOf(item.attachment))
  const label = t('viewer.label', { name, index: at + 1, total: items.length })
  const onKeyDown = (event: KeyboardEvent): void => {
    const run = actOfKey(event, acts, { at, last: items.length - 1, turnTo })
    if (run === undefined) return
    event.preventDefault()
    event.stopPropagation()
    run()
  }
  return (
    <Modal aria-label={label} className={styles['viewer']} onKeyDown={onKeyDown} onClose={acts.close}>
      <ViewerBar item={item} acts={acts} zoomed={view.zoom > 1} />
      <Stage key={item.id} ref={stage} item={item} name={name} view={view} onView={setView} />
      {items.length < 2 ? null : (
        <>
          <span className={styles['previous']}>
            <IconButton
              icon="chevron-left"
              label={t('viewer.previous')}
              keys={['←']}
              aria-disabled={at === 0}
              onClick={() => turnTo(at - 1)}
            />
          </span>
          <span className={styles['next']}>
            <IconButton
              icon="chevron-right"
              label={t('viewer.next')}
              keys={['→']}
              aria-disabled={at === items.length - 1}
              onClick={() => turnTo(at + 1)}
            />
          </span>
        </>
      )}
      <div className={styles['foot']}>
        <div role="status">
          <p className={styles['caption']}>
            <span className="sr-only">{label}. </span>
            <bdi className="ellipsis">
              {isPicture(item.attachment) ? <EmojiText text={item.message.text || name} /> : name}
            </bdi>
          </p>
          <Description text={isPicture(item.attachment) ? altOf(item.attachment) : ''} />
        </div>
        {items.length < 2 ? null : <Strip items={items} at={at} onTurn={turnTo} />}
      </div>
    </Modal>
  )
}

/** The alt text, shown to everyone. */
const Description = ({ text }: { readonly text: string }) =>
  text === '' ? null : (
    <p className={styles['description']} dir="auto">
      {text}
    </p>
  )

/** The view of the current item, and the actions on it. */
function useActs(item: Item) {
  const t = useTexts('messages')
  const dispatch = useAppDispatch()
  const engine = useEngine()
  const stage = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState<{ readonly id: string; readonly view: View }>({ id: item.id, view: WHOLE })
  const view = current.id === item.id ? current.view : WHOLE
  const setView = (next: View): void => setCurrent({ id: item.id, view: next })
  const name = ownName(item.attachment) || t(labelKeyOf(item.attachment))
  const download = useDownload(mediaRef(item.message.id, item.attachment.index), name)
  const picture = isPicture(item.attachment)
  const pdf = isPdf(item.attachment)
  const changeView = (next: View): void => {
    if (picture || pdf) setView(next)
  }
  const pages = (): HTMLElement | null => stage.current?.querySelector<HTMLElement>('[data-pages]') ?? null
  const acts: ViewerActs = {
    close: () => void dispatch(viewerClosed()),
    nearer: () => changeView(nearer(view)),
    further: () => changeView(further(view)),
    whole: () => changeView(WHOLE),
    turn: () => {
      if (!picture && !pdf) return
      // A PDF keeps its zoom and position; an image is fitted again.
      const next = pdf ? { ...view, turn: turned(view).turn } : turned(view)
      setView(next)
      announce(t('viewer.turned', { degrees: next.turn }))
    },
    move: (x, y) => {
      pages()?.scrollBy({ left: -x, top: -y })
      const room = stage.current
      const frame = room?.querySelector<HTMLElement>('[data-frame]')
      if (room && frame) changeView(moved(view, x, y, sizeOf(frame), sizeOf(room)))
    },
    save: () => {
      download.start()
      announce(t('viewer.saved', { name }))
    },
    copy: picture
      ? () =>
          void copyPicture(piecesOf(engine, { messageId: item.message.id, index: item.attachment.index })).then(
            () => announce(t('copied')),
            () => announce(t('notCopied')),
          )
      : undefined,
    ...(pdf
      ? {
          read: (by) => {
            const room = pages()
            room?.scrollBy({ top: by * READ_ON * room.clientHeight })
          },
          find: () => stage.current?.querySelector<HTMLElement>('[data-find]')?.focus(),
        }
      : {}),
    openWith: opensElsewhere(item.attachment)
      ? () => void dispatch(openFile({ messageId: item.message.id, index: item.attachment.index }))
      : undefined,
    play: () => {
      const media = stage.current?.querySelector<HTMLMediaElement>('audio, video')
      if (media?.paused === true) media.play().catch(() => announce(t('media.failed')))
      else media?.pause()
    },
  }
  return { view, setView, stage, acts }
}

const sizeOf = (element: HTMLElement): Size => ({ width: element.offsetWidth, height: element.offsetHeight })

type Pages = { readonly at: number; readonly last: number; readonly turnTo: (index: number) => void }

/** How far an arrow key pans a zoomed image, or scrolls the pages. */
const MOVE_PX = 80
/** Fraction of the view that Page Down scrolls, so that the last lines stay visible. */
const READ_ON = 0.9

/** The action of a key in the viewer; players handle their own keys. */
function actOfKey(event: KeyboardEvent, acts: ViewerActs, { at, last, turnTo }: Pages): (() => void) | undefined {
  const key = keyOf(event.nativeEvent)
  const command = event.ctrlKey || event.metaKey
  if (command) return event.altKey || event.shiftKey ? undefined : { s: acts.save, c: acts.copy, f: acts.find }[key]
  if (event.altKey) return undefined
  if (event.key === 'Escape') return acts.close
  if (event.target instanceof HTMLMediaElement) return undefined
  if (event.key === ' ' && event.target instanceof HTMLButtonElement) return undefined
  const { read } = acts
  const reading: Readonly<Record<string, () => void>> =
    read === undefined
      ? {}
      : {
          ArrowUp: () => acts.move(0, MOVE_PX),
          ArrowDown: () => acts.move(0, -MOVE_PX),
          PageUp: () => read(-1),
          PageDown: () => read(1),
        }
  const table: Readonly<Record<string, (() => void) | undefined>> = event.shiftKey
    ? {
        ArrowLeft: () => acts.move(MOVE_PX, 0),
        ArrowRight: () => acts.move(-MOVE_PX, 0),
        ArrowUp: () => acts.move(0, MOVE_PX),
        ArrowDown: () => acts.move(0, -MOVE_PX),
        '+': acts.nearer,
      }
    : {
        ...reading,
        ArrowLeft: () => turnTo(at - 1),
        ArrowRight: () => turnTo(at + 1),
        Home: () => turnTo(0),
        End: () => turnTo(last),
        '+': acts.nearer,
        '=': acts.nearer,
        '-': acts.further,
        '0': acts.whole,
        r: acts.turn,
        o: acts.openWith,
        ' ': acts.play,
      }
  return table[event.key === '+' ? '+' : key]
}

type Props = { readonly items: readonly Item[]; readonly at: number; readonly onTurn: (index: number) => void }

/** Number of thumbnails on either side. */
const AROUND = 4

/** Thumbnails of the neighboring items. One tab stop; when the item changes by arrows, the focus follows. */
function Strip({ items, at, onTurn }: Props) {
  const t = useTexts('messages')
  const list = useRef<HTMLUListElement>(null)
  const currentId = items[at]?.id ?? ''
  useEffect(() => {
    if (!list.current?.contains(document.activeElement)) return
    list.current.querySelector<HTMLElement>(`[data-item="${CSS.escape(currentId)}"]`)?.focus()
  }, [currentId])
  const width = AROUND * 2 + 1
  const from = Math.max(0, Math.min(at - AROUND, items.length - width))
  return (
    <ul ref={list} className={styles['strip']} aria-label={t('viewer.strip')}>
      {items.slice(from, from + width).map((item, offset) => (
        <li key={item.id}>
          <button
            type="button"
            className={styles['thumb']}
            data-item={item.id}
            tabIndex={from + offset === at ? 0 : -1}
            aria-current={from + offset === at}
            aria-label={t('viewer.item', {
              index: from + offset + 1,
              total: items.length,
              name: ownName(item.attachment) || t(labelKeyOf(item.attachment)),
            })}
            onClick={() => onTurn(from + offset)}
          >
            <Small item={item} isCurrent={from + offset === at} />
          </button>
        </li>
      ))}
    </ul>
  )
}

type SmallProps = { readonly item: Item; readonly isCurrent: boolean }

/** In a channel with hidden media, only the current item and unfolded ones have thumbnails. */
function Small({ item: { message, attachment }, isCurrent }: SmallProps) {
  const ref = mediaRef(message.id, attachment.index)
  const { isBlurred } = useBlurred(ref)
  const isHidden = useThumbHidden(message.cid, ref) && !isCurrent
  if (isHidden || (!isPicture(attachment) && !attachment.hasThumb)) return <Icon name={iconOf(attachment)} size={20} />
  return (
    <Picture
      mediaKey={ref}
      variant={attachment.hasThumb ? 'thumb' : 'full'}
      alt=""
      blurred={isBlurred && !isCurrent}
      moves={mayMove(attachment)}
    />
  )
}

/** Actions of the viewer, by button, menu or key. */
type ViewerActs = {
  readonly close: () => void
  readonly nearer: () => void
  readonly further: () => void
  /** Fits the whole item, unrotated. */
  readonly whole: () => void
  readonly turn: () => void
  readonly move: (x: number, y: number) => void
  readonly save: () => void
  /** Images only. In a PDF the browser copies the selected text. */
  readonly copy?: () => void
  /** Opens it in another program; absent for files that run when they are opened. */
  readonly openWith?: () => void
  /** Plays or pauses a video or a sound. */
  readonly play: () => void
  /** PDF only: scrolls by a view. */
  readonly read?: (by: 1 | -1) => void
  /** PDF only: focuses the search field. */
  readonly find?: () => void
}

type ViewerBarProps = { readonly item: Item; readonly acts: ViewerActs; readonly zoomed: boolean }

/** The author, time and place of the item, and its actions. */
function ViewerBar({ item, acts, zoomed }: ViewerBarProps) {
  const t = useTexts('messages')
  const dispatch = useAppDispatch()
  const { os } = useHost()
  const pdf = isPdf(item.attachment)
  const zoomable = isPicture(item.attachment) || pdf
  const menu = useMenu({ label: t('viewer.more'), items: useMoreItems(item, acts), minWidth: 240 })
  return (
    <div className={styles['bar']}>
      <Who item={item} />
      {zoomable ? (
        <>
          <IconButton
            icon="zoom"
            label={t(!zoomed ? 'viewer.zoomIn' : pdf ? 'pdf.fit' : 'viewer.fit')}
            keys={[zoomed ? '0' : '+']}
            pressed={zoomed}
            onClick={zoomed ? acts.whole : acts.nearer}
          />
          <IconButton icon="rotate" label={t('viewer.rotate')} keys={['R']} onClick={acts.turn} />
        </>
      ) : null}
      <IconButton icon="download" label={t('viewer.save')} keys={keysOf('Mod+S', os)} onClick={acts.save} />
      <IconButton
        icon="forward"
        label={t('actions.forwardMenu')}
        onClick={() => dispatch(forwardOpened({ messageIds: [item.message.id] }))}
      />
      <IconButton icon="more" label={t('viewer.more')} {...menu.triggerProps} />
      <IconButton icon="x" label={t('viewer.close')} keys={['Esc']} onClick={acts.close} />
      {menu.menu}
    </div>
  )
}

function useMoreItems({ message, attachment }: Item, acts: ViewerActs): () => readonly MenuItem[] {
  const t = useTexts('messages')
  const dispatch = useAppDispatch()
  const { os } = useHost()
  const { copy, openWith } = acts
  const pictureItems: readonly MenuItem[] = [
    { id: 'nearer', icon: 'zoom', label: t('viewer.zoomIn'), keys: ['+'], onSelect: acts.nearer },
    { id: 'further', icon: 'search', label: t('viewer.zoomOut'), keys: ['-'], onSelect: acts.further },
    { id: 'whole', icon: 'image', label: t('viewer.fit'), keys: ['0'], onSelect: acts.whole },
    { kind: 'separator', id: 'gap' },
    ...(copy === undefined
      ? []
      : [{ id: 'copy', icon: 'copy' as const, label: t('viewer.copy'), keys: keysOf('Mod+C', os), onSelect: copy }]),
  ]
  return () => [
    ...(isPicture(attachment) ? pictureItems : []),
    ...(openWith === undefined
      ? []
      : [
          {
            id: 'open',
            icon: 'external-link' as const,
            label: t('viewer.openWith'),
            keys: ['O'],
            onSelect: openWith,
          },
        ]),
    {
      id: 'show',
      icon: 'arrow-right',
      label: t('viewer.show'),
      onSelect: () => {
        dispatch(viewerClosed())
        const { cid, parentId, id: messageId } = message
        dispatch(placeOpened({ cid, parentId, messageId }))
      },
    },
  ]
}

function Who({ item: { message } }: { readonly item: Item }) {
  const t = useTexts('messages')
  const formats = useFormats()
  const now = useMinute()
  const name = useName(message.userId)
  const direct = (useChannel(message.cid)?.directUserIds.length ?? 0) > 0
  const title = useAppSelector((state) => channelTitle(state, message.cid))
  const when = useWhen()(message, (at) => `${formats.day(at, now)}, ${formats.time(at)}`)
  return (
    <>
      <Portrait userId={message.userId} size={32} />
      <div className={styles['who']}>
        <bdi className={styles['author']}>{name}</bdi>
        <div className="ellipsis">{t('viewer.when', { when, place: direct ? title : `#${title}` })}</div>
      </div>
    </>
  )
}
