import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import type { Attachment, Upload } from '#shared/domain/attachment.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import { useAppDispatch, useAppServices } from '../../store/hooks.ts'
import { IconButton } from '../../ui/Button/Button.tsx'
import { Picture } from './Picture.tsx'
import { boxOf, mediaRef, opensElsewhere, tileEnding, middleCut } from './presentation.ts'
import { command } from '../../store/command.ts'
import styles from './Attachments.module.css'

type Props = { readonly messageId: MessageId; readonly attachment: Attachment }

/** A file: type tile, name shortened in the middle, size, download. */
export function FileCard({ messageId, attachment }: Props) {
  const t = useTexts('messages')
  const dispatch = useAppDispatch()
  const formats = useFormats()
  const name = cleanName(attachment.title ?? '') || t('media.file')
  const download = useDownload(mediaRef(messageId, attachment.index), name)
  const size = attachment.sizeBytes === undefined ? '' : formats.bytes(attachment.sizeBytes)
  const working = download.state === 'working'
  const failed = download.state === 'failed'
  const text = failed
    ? t('media.downloadFailed')
    : working
      ? t('media.downloading')
      : attachment.hasMedia
        ? size
        : t('media.removed')
  return (
    <div className={cx(styles['card'], styles['file'])} role="group" aria-label={name}>
      <FileFace name={name} text={text} failed={failed || !attachment.hasMedia} />
      {attachment.hasMedia ? (
        <>
          {opensElsewhere(attachment) ? (
            <IconButton
              icon="external-link"
              label={t('media.openWith', { name })}
              onClick={() => void dispatch(openFile({ messageId, index: attachment.index }))}
            />
          ) : null}
          <DownloadButton download={download} name={name} />
        </>
      ) : null}
      {working ? <progress className={styles['progress']} aria-label={t('media.downloading')} /> : null}
    </div>
  )
}

/** Downloads the file; cancels while the download is being prepared. */
export function DownloadButton({ download, name }: { readonly download: Download; readonly name: string }) {
  const t = useTexts('messages')
  const working = download.state === 'working'
  return (
    <IconButton
      icon={working ? 'x' : 'download'}
      label={t(working ? 'media.cancel' : 'media.download', { name })}
      onClick={working ? download.cancel : download.start}
    />
  )
}

/** A file of an unsent message that is being uploaded. */
export function UploadCard({ upload }: { readonly upload: Upload }) {
  const t = useTexts('messages')
  const formats = useFormats()
  const name = cleanName(upload.name)
  const size = formats.bytes(upload.sizeBytes)
  const isWhole = ['uploading', 'paused', 'finished'].includes(upload.state)
  if (upload.kind === 'image' && isWhole) return <StagedPicture upload={upload} name={name} />
  const text =
    upload.state === 'uploading'
      ? t('media.uploading', { size, percent: formats.percent(upload.progress) })
      : upload.state === 'failed' || upload.state === 'blocked'
        ? t('media.uploadFailed')
        : upload.state === 'paused'
          ? t('media.paused', { size })
          : size
  return (
    <div className={cx(styles['card'], styles['file'])} role="group" aria-label={name}>
      <FileFace name={name} text={text} failed={upload.state === 'failed' || upload.state === 'blocked'} />
      {upload.state === 'uploading' ? (
        <progress className={styles['progress']} aria-label={name} max={1} value={upload.progress} />
      ) : null}
    </div>
  )
}

/** An image that is on its way, as it will be seen. */
function StagedPicture({ upload, name }: { readonly upload: Upload; readonly name: string }) {
  const { width, height } = boxOf(upload)
  return (
    <div
      className={styles['staged']}
      role="group"
      aria-label={name}
      style={{ width, aspectRatio: `${width} / ${height}` }}
    >
      <Picture mediaKey={`upload/${upload.id}`} variant="thumb" alt="" />
      {upload.state === 'uploading' && upload.progress < 1 ? (
        <progress className={styles['progress']} aria-label={name} max={1} value={upload.progress} />
      ) : null}
    </div>
  )
}

type FaceProps = { readonly name: string; readonly text: string; readonly failed: boolean }

function FileFace({ name, text, failed }: FaceProps) {
  return (
    <>
      <FileTile name={name} />
      <div className={styles['text']}>
        <FileName name={name} />
        <div className={cx(styles['meta'], failed && styles['failed'])}>{text}</div>
      </div>
    </>
  )
}

/** The type of a file by its extension, as a colored tile. */
export function FileTile({ name }: { readonly name: string }) {
  const ending = tileEnding(name)
  return (
    <span className={cx(styles['type'], styles[toneOf(ending)])} aria-hidden="true">
      {ending}
    </span>
  )
}

const TONES: readonly (readonly [string, readonly string[]])[] = [
  ['red', ['PDF', 'PPT', 'PPTX', 'KEY']],
  ['green', ['XLS', 'XLSX', 'CSV', 'ODS', 'GPX', 'JSON']],
  ['blue', ['DOC', 'DOCX', 'ODT', 'TXT', 'MD', 'RTF']],
  ['violet', ['ZIP', 'RAR', '7Z', 'GZ', 'TAR', 'XZ']],
]

const toneOf = (ending: string): string => TONES.find(([, endings]) => endings.includes(ending))?.[0] ?? 'plain'

/** A name shortened in the middle where it does not fit. It is in the page once and whole, for screen readers and search. */
export function FileName({ name }: { readonly name: string }) {
  const box = useRef<HTMLElement>(null)
  const shown = useMiddleCut(box, name)
  const isCut = shown !== name
  return (
    <bdi ref={box} className={styles['name']} title={name}>
      <span className={isCut ? styles['whole'] : undefined}>{name}</span>
      {isCut ? <span className={styles['cut']} data-cut={shown} aria-hidden="true" /> : null}
    </bdi>
  )
}

/** What is shown of the name in the first element of the box, which has the width of the whole name as far as there is room. */
function useMiddleCut(box: RefObject<HTMLElement | null>, name: string): string {
  const [shown, setShown] = useState(name)
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const fit = (): void => {
      const text = element.firstElementChild?.firstChild
      // Not on screen.
      if (!text || element.clientWidth === 0) return
      const range = document.createRange()
      const widthOf = (from: number, to: number): number => {
        range.setStart(text, from)
        range.setEnd(text, to)
        return range.getBoundingClientRect().width
      }
      const dots = Number.parseFloat(getComputedStyle(element).fontSize)
      setShown(middleCut(name, element.getBoundingClientRect().width + HALF_PIXEL, { widthOf, dots }))
    }
    fit()
    const sizes = new ResizeObserver(fit)
    sizes.observe(element)
    return () => sizes.disconnect()
  }, [box, name])
  return shown
}

/** The box is rounded to the pixels of the screen, the text is not. */
const HALF_PIXEL = 0.5

/** Opens a file with the system's default program. Failures raise a notice. */
export const openFile = command(
  'attachments/opened',
  (input: { readonly messageId: MessageId; readonly index: number }, engine) => engine.data.openFile(input),
)

type Download = {
  readonly state: 'idle' | 'working' | 'failed'
  readonly start: () => void
  /** Works until the URL is passed to the system, which then has its own cancel. */
  readonly cancel: () => void
}

/** Requests a fresh URL and passes it to the system's download. */
export function useDownload(mediaKey: string, name: string): Download {
  const { media } = useAppServices()
  const [state, setState] = useState<Download['state']>('idle')
  const request = useRef(0)
  const fetchAndSave = async (): Promise<void> => {
    request.current += 1
    const mine = request.current
    try {
      const url = await media.url(mediaKey, 'full', true)
      if (mine !== request.current) return
      saveAs(url, name)
      setState('idle')
    } catch {
      // Main logs the reason; the card offers a retry.
      if (mine === request.current) setState('failed')
    }
  }
  const start = (): void => {
    if (state === 'working') return
    setState('working')
    void fetchAndSave()
  }
  const cancel = (): void => {
    request.current += 1
    setState('idle')
  }
  return { state, start, cancel }
}

/** Downloads a URL; the system asks where to save it. The name is only a proposal: main decides what is allowed. */
function saveAs(url: string, name: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.rel = 'noopener'
  document.body.append(link)
  link.click()
  link.remove()
}

/** Saves a text that is made here as a file. */
export function saveText(text: string, { name, type }: { readonly name: string; readonly type: string }): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  saveAs(url, name)
  // The download has started when the click returns, so the bytes can be released.
  setTimeout(() => URL.revokeObjectURL(url), 0)
}
