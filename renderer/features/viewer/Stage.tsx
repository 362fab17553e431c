import { useRef, useState, type PointerEvent, type RefObject } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import { Button } from '../../ui/Button/Button.tsx'
import {
  altOf,
  AudioCard,
  FileCard,
  isPdf,
  isPicture,
  mediaRef,
  Picture,
  VideoPlayer,
  VoiceCard,
} from '../attachments/index.ts'
import { PdfStage } from './pdf/PdfStage.tsx'
import { useRoom, frameOf, moved, nearer, wheeled, WHOLE, type Size, type View, type Item } from './view.ts'
import styles from './Viewer.module.css'

type Props = {
  readonly item: Item
  readonly name: string
  readonly view: View
  readonly onView: (view: View) => void
  readonly ref: RefObject<HTMLDivElement | null>
}

/** The current item, in the middle of the viewer. */
export function Stage({ item, name, view, onView, ref }: Props) {
  if (isPicture(item.attachment)) return <PictureStage ref={ref} item={item} name={name} view={view} onView={onView} />
  if (isPdf(item.attachment) && item.attachment.hasMedia) {
    return <PdfStage ref={ref} item={item} name={name} view={view} />
  }
  return (
    <div ref={ref} className={cx(styles['stage'], styles['middle'])}>
      <Other item={item} name={name} />
    </div>
  )
}

function Other({ item: { message, attachment }, name }: Pick<Props, 'item' | 'name'>) {
  const t = useTexts('messages')
  if (attachment.kind === 'video') {
    return (
      <div className={styles['video']}>
        <VideoPlayer mediaKey={mediaRef(message.id, attachment.index)} name={name} />
      </div>
    )
  }
  if (attachment.kind === 'voiceRecording') return <VoiceCard messageId={message.id} attachment={attachment} />
  if (attachment.kind === 'audio') return <AudioCard messageId={message.id} attachment={attachment} />
  return (
    <div className={styles['file']}>
      <FileCard messageId={message.id} attachment={attachment} />
      <p>{t('viewer.noPreview')}</p>
    </div>
  )
}

/** An image in its reserved frame: wheel and double click zoom, dragging pans. */
function PictureStage({ item: { message, attachment }, name, view, onView, ref }: Props) {
  const t = useTexts('messages')
  const room = useRoom(ref)
  const [attempt, setAttempt] = useState(0)
  const [failed, setFailed] = useState(false)
  const frame = frameOf(attachment, room, view.turn)
  const drag = useDrag(view, onView, frame, room)
  const alt = altOf(attachment) || name
  return (
    <div
      ref={ref}
      className={cx(styles['stage'], view.zoom > 1 && styles['zoomed'])}
      onWheel={(event) => onView(wheeled(view, event.deltaY))}
      onDoubleClick={() => onView(view.zoom > 1 ? WHOLE : nearer(nearer(view)))}
      {...drag}
    >
      {failed ? (
        <div className={styles['failed']} role="alert">
          <p>{t('media.failed')}</p>
          <Button
            onClick={() => {
              setFailed(false)
              setAttempt(attempt + 1)
            }}
          >
            {t('status.retry')}
          </Button>
        </div>
      ) : (
        <div
          data-frame=""
          className={styles['frame']}
          style={{
            width: frame.width,
            height: frame.height,
            transform: `translate(calc(-50% + ${view.x}px), calc(-50% + ${view.y}px)) scale(${view.zoom}) rotate(${view.turn}deg)`,
          }}
        >
          <Picture
            key={attempt}
            mediaKey={mediaRef(message.id, attachment.index)}
            variant="full"
            alt={alt}
            onFail={() => setFailed(true)}
          />
        </div>
      )}
    </div>
  )
}

function useDrag(view: View, onView: (view: View) => void, frame: Size, room: Size) {
  const from = useRef<{ readonly x: number; readonly y: number }>(undefined)
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>): void => {
      if (view.zoom === 1 || event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      from.current = { x: event.clientX, y: event.clientY }
    },
    onPointerMove: (event: PointerEvent<HTMLElement>): void => {
      const before = from.current
      if (before === undefined) return
      from.current = { x: event.clientX, y: event.clientY }
      onView(moved(view, event.clientX - before.x, event.clientY - before.y, frame, room))
    },
    onPointerUp: (): void => {
      from.current = undefined
    },
  }
}
