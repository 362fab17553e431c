import type { Attachment, Upload } from '#shared/domain/attachment.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import { useAppDispatch } from '../../store/hooks.ts'
import { IconButton } from '../../ui/Button/IconButton.tsx'
import { FileName } from './FileName.tsx'
import { openFile, useDownload, type Download } from './use-download.ts'
import { Picture } from './Picture.tsx'
import { boxOf, mediaRef, opensElsewhere, tileEnding } from './presentation.ts'
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
