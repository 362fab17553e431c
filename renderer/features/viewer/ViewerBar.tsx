import { useFormats, useTexts } from '../../i18n/index.ts'
import { keysOf } from '../../lib/text/chords.ts'
import { useMinute } from '../../lib/time/clocks.ts'
import { useAppDispatch, useAppSelector, useChannel, useHost } from '../../store/hooks.ts'
import { forwardOpened, viewerClosed } from '../../store/window/overlays.ts'
import { placeOpened } from '../../store/window/ui.ts'
import { IconButton } from '../../ui/Button/IconButton.tsx'
import { type MenuItem, useMenu } from '../../ui/Menu/Menu.tsx'
import { useWhen } from '../../ui/Dates/MessageTime.tsx'
import { isPdf, isPicture } from '../attachments/index.ts'
import { channelTitle } from '../sidebar/index.ts'
import { Portrait, useName } from '../people/index.ts'
import type { Item } from './gallery.ts'
import styles from './Viewer.module.css'

/** Actions of the viewer, by button, menu or key. */
export type ViewerActs = {
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
  /** Opens it in another program. */
  readonly openWith: () => void
  /** Plays or pauses a video or a sound. */
  readonly play: () => void
  /** PDF only: scrolls by a view. */
  readonly read?: (by: 1 | -1) => void
  /** PDF only: focuses the search field. */
  readonly find?: () => void
}

type Props = { readonly item: Item; readonly acts: ViewerActs; readonly zoomed: boolean }

/** The author, time and place of the item, and its actions. */
export function ViewerBar({ item, acts, zoomed }: Props) {
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
  const { copy } = acts
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
    { id: 'open', icon: 'external-link', label: t('viewer.openWith'), keys: ['O'], onSelect: acts.openWith },
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
