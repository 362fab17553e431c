import { useState, useEffect, useRef } from 'react'
import { UPLOAD_LIMIT_BYTES } from '#shared/constants.ts'
import type { Upload, Attachment } from '#shared/domain/attachment.ts'
import { isBlank } from '#shared/lib/clean-text.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { cx } from '../../../lib/cx.ts'
import { typedPart } from '../../../lib/page/part.tsx'
import { announce } from '../../../lib/page/announce.ts'
import { COMPOSER_FILES } from '../../../store/composers/files.ts'
import { useAppDispatch, useConnection, useMediaUrl, useObject, useAppSelector } from '../../../store/hooks.ts'
import { Icon, type IconName } from '../../../ui/Icon/Icon.tsx'
import { Button } from '../../../ui/Button/Button.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import { attachmentDropped, attachmentErased, type ComposerState } from '../../../store/composers/composers.ts'
import { selectMessage, selectSession } from '../../../store/selectors.ts'
import { Tooltip } from '../../../ui/Popover/Popover.tsx'
import { FileName, iconOf, isPicture, mediaRef, ownName, labelKeyOf } from '../../attachments/index.ts'
import type { Place } from '../selectors.ts'
import { canEdit, remedyOf, shrinkFile, changeFile, pauseUpload, resumeUpload } from './staging.ts'
import styles from './Tray.module.css'

const EditPicture = typedPart(async () => (await import('../picture/EditPicture.tsx')).EditPicture)

type Props = {
  readonly place: Place
  readonly uploads: readonly Upload[]
  readonly onRemove: (id: string) => void
  readonly onRetry: (id: string) => void
}

/** The files of the message, as tiles of the same size in every state. */
export function Tray({ place, uploads, onRemove, onRetry }: Props) {
  const t = useTexts('composer')
  useOutcomes(uploads)
  const [describedId, setDescribed] = useState<string>()
  const described = uploads.find(({ id }) => id === describedId)
  const [pictureId, setPicture] = useState<string>()
  const [replaced, setReplaced] = useState<Upload>()
  const picture = replaced ?? uploads.find(({ id }) => id === pictureId)
  return (
    <>
      {uploads.length === 0 ? null : (
        <ul className={styles['tray']} aria-label={t('attachments')}>
          {uploads.map((upload) => (
            <Tile
              key={upload.id}
              place={place}
              upload={upload}
              described={upload.id === describedId}
              onRemove={() => {
                onRemove(upload.id)
                announce(t('announce.removed', { name: upload.name }))
              }}
              onRetry={onRetry}
              onDescribe={setDescribed}
              onPicture={setPicture}
            />
          ))}
        </ul>
      )}
      {described === undefined ? null : (
        <Describe key={described.id} place={place} upload={described} onDone={() => setDescribed(undefined)} />
      )}
      {picture === undefined ? null : (
        <EditPicture
          place={place}
          upload={picture}
          onApplying={(is) => setReplaced(is ? picture : undefined)}
          onClose={() => setPicture(undefined)}
        />
      )}
    </>
  )
}

type TileProps = Omit<Props, 'uploads' | 'onRemove'> & {
  readonly onRemove: () => void
  readonly upload: Upload
  readonly described: boolean
  readonly onDescribe: (id: string) => void
  readonly onPicture: (id: string) => void
}

function Tile({ place, upload, described, onRemove, onRetry, onDescribe, onPicture }: TileProps) {
  const t = useTexts('composer')
  const text = useStateText(upload)
  const { id, name, state, progress } = upload
  const pictured = upload.kind === 'image' && state !== 'failed'
  return (
    <li
      className={cx(
        styles['tile'],
        state === 'failed' && styles['failed'],
        state === 'blocked' && styles['blocked'],
        described && styles['described'],
      )}
      aria-label={t('tileName', { name, state: text })}
      data-upload={state}
    >
      <Thumb upload={upload} />
      <Pause upload={upload} />
      <div className={styles['info']}>
        <div className={styles['name']}>
          <FileName name={name} />
        </div>
        <div className={styles['state']} title={text}>
          <span className="ellipsis">{text}</span>
          {state === 'failed' ? (
            <button
              type="button"
              className={styles['retry']}
              aria-label={t('tryAgainFile', { name })}
              onClick={() => onRetry(id)}
            >
              {t('tryAgain')}
            </button>
          ) : null}
          <Remedy place={place} upload={upload} onDescribe={onDescribe} />
        </div>
      </div>
      {canRename(upload) && upload.kind === 'image' && canEdit(upload.mimeType) ? (
        <button
          type="button"
          className={styles['edit']}
          aria-label={t('picture.open', { name })}
          onClick={() => onPicture(id)}
        >
          <Icon name="crop" size={12} />
        </button>
      ) : null}
      {canRename(upload) ? (
        <button
          type="button"
          className={styles['describe']}
          aria-label={t(pictured ? 'uploads.describe' : 'uploads.rename', { name })}
          aria-pressed={pictured ? upload.alt !== undefined : undefined}
          onClick={() => onDescribe(id)}
        >
          <Icon name="pencil" size={12} />
        </button>
      ) : null}
      <button type="button" className={styles['remove']} aria-label={t('removeFile', { name })} onClick={onRemove}>
        <Icon name="x" size={12} />
      </button>
      {state === 'uploading' ? (
        <progress className={styles['progress']} aria-label={name} max={100} value={Math.round(progress * 100)} />
      ) : null}
    </li>
  )
}

/** Whether the file can be renamed here: a blocked file has its own remedy, and a missing one cannot be sent at all. */
const canRename = ({ state, reason, kind }: Upload): boolean =>
  state !== 'blocked' && kind !== 'voiceRecording' && !(state === 'failed' && reason === 'missing')

/** Remedy for a blocked file: another name, or a smaller copy of a picture that is too large. */
function Remedy({ place, upload, onDescribe }: Pick<TileProps, 'place' | 'upload' | 'onDescribe'>) {
  const t = useTexts('composer')
  const dispatch = useAppDispatch()
  const [isShrinking, setIsShrinking] = useState(false)
  const { id, name } = upload
  const files = useObject(COMPOSER_FILES)
  const remedy = remedyOf(upload, files.tooLarge(upload.id) !== undefined)
  if (remedy === undefined) return null
  const shrink = async (): Promise<void> => {
    if (isShrinking) return
    setIsShrinking(true)
    await dispatch(shrinkFile(place, upload, (base) => t('uploads.smallerName', { name: base })))
    setIsShrinking(false)
  }
  return remedy === 'name' ? (
    <button
      type="button"
      className={styles['retry']}
      aria-label={t('uploads.rename', { name })}
      onClick={() => onDescribe(id)}
    >
      {t('uploads.renameShort')}
    </button>
  ) : (
    <button
      type="button"
      className={styles['retry']}
      aria-label={t('uploads.shrink', { name })}
      aria-disabled={isShrinking || undefined}
      onClick={() => void shrink()}
    >
      {t(isShrinking ? 'uploads.shrinking' : 'uploads.shrinkShort')}
    </button>
  )
}

/** Over the thumbnail: stops this upload alone, and starts it again. */
function Pause({ upload: { id, name, state } }: Pick<TileProps, 'upload'>) {
  const t = useTexts('composer')
  const dispatch = useAppDispatch()
  if (state !== 'uploading' && state !== 'paused') return null
  const isPaused = state === 'paused'
  const label = t(isPaused ? 'uploads.resume' : 'uploads.pause', { name })
  return (
    <button
      type="button"
      className={styles['pause']}
      aria-label={label}
      title={label}
      onClick={() => void dispatch(isPaused ? resumeUpload({ id }) : pauseUpload({ id }))}
    >
      <Icon name={isPaused ? 'play' : 'pause'} size={18} />
    </button>
  )
}

const GLYPHS: Partial<Record<Upload['kind'], IconName>> = { image: 'image', video: 'video', audio: 'volume' }

function Thumb({ upload }: { readonly upload: Upload }) {
  const { id, kind, state } = upload
  const whole = state === 'uploading' || state === 'paused' || state === 'finished'
  const { url, onError } = useMediaUrl(kind === 'image' && whole ? `upload/${id}` : undefined, 'thumb')
  const glyph = state === 'failed' ? 'alert-circle' : state === 'blocked' ? 'ban' : (GLYPHS[kind] ?? 'file')
  return (
    <span className={styles['thumb']} aria-hidden="true">
      {url === undefined ? (
        <Icon name={glyph} size={20} />
      ) : (
        <img src={url} alt="" draggable={false} onError={onError} />
      )}
    </span>
  )
}

function useStateText(upload: Upload): string {
  const t = useTexts('composer')
  const { bytes, percent, list } = useFormats()
  const { offline } = useConnection()
  switch (upload.state) {
    case 'pending':
      return t(offline ? 'waitingForNetwork' : 'waiting')
    case 'uploading':
      return upload.bytesPerSecond === undefined
        ? t('uploading', { size: bytes(upload.sizeBytes), percent: percent(upload.progress) })
        : t('uploads.uploadingAt', {
            size: bytes(upload.sizeBytes),
            percent: percent(upload.progress),
            speed: bytes(upload.bytesPerSecond),
          })
    case 'paused':
      return t('uploads.paused', { size: bytes(upload.sizeBytes) })
    case 'finished':
      return bytes(upload.sizeBytes)
    case 'failed':
      return upload.reason === 'missing' ? t('missing') : t('failed')
    case 'blocked':
      return blockedText(upload, t, bytes, list)
  }
}

type Texts = ReturnType<typeof useTexts<'composer'>>
type Formats = ReturnType<typeof useFormats>

/** How many entries of a rule fit in a tile. */
const MAX_LISTED = 4

/** The rule that blocked the file, with its limit. */
function blockedText(upload: Upload, t: Texts, bytes: (value: number) => string, list: Formats['list']): string {
  const { name, mimeType, sizeBytes, reason, limit, listed = [] } = upload
  switch (reason) {
    case 'size_limit':
      return t('uploads.tooLargeBy', { size: bytes(sizeBytes), limit: bytes(limit ?? UPLOAD_LIMIT_BYTES) })
    case 'allowed_file_extensions':
    case 'allowed_mime_types':
      return t('uploads.onlyListed', { list: list(listed.slice(0, MAX_LISTED)) })
    case 'blocked_file_extensions':
      return t('uploads.listed', { what: listed.find((ending) => name.toLowerCase().endsWith(ending)) ?? name })
    case 'blocked_mime_types':
      return t('uploads.listed', { what: mimeType })
    case 'empty':
      return t('uploads.empty')
    case 'capability':
      return t('noFilesHere')
    case 'slots':
    case 'missing':
    case 'network':
    case undefined:
    default:
      return t('blockedGeneric')
  }
}

/** Announces each finished, paused or failed upload once, those that come together in one announcement. */
function useOutcomes(uploads: readonly Upload[]): void {
  const t = useTexts('composer')
  const seen = useRef(uploads)
  useEffect(() => {
    const before = seen.current
    seen.current = uploads
    for (const { id, name, state } of uploads) {
      const was = before.find((upload) => upload.id === id)?.state
      if (was === undefined || was === state) continue
      if (state === 'finished') announce(t('uploadDone', { name }))
      if (state === 'paused') announce(t('uploads.pausedNow', { name }))
      if (state === 'failed') announce(t('uploadFailed', { name }))
    }
  }, [uploads, t])
}

type DescribeProps = { readonly place: Place; readonly upload: Upload; readonly onDone: () => void }

/** Edits a file's name, and a picture's description. Escape discards the changes. */
function Describe({ place, upload, onDone }: DescribeProps) {
  const t = useTexts('composer')
  const dispatch = useAppDispatch()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const { id, alt = '' } = upload
  const [name, setName] = useState(() => suggestedName(upload))
  const [text, setText] = useState(alt)
  const pictured = upload.kind === 'image' && upload.state !== 'blocked' && upload.state !== 'failed'
  const missing = isBlank(name)
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault()
        if (missing) return
        void dispatch(changeFile(place, { id, name: name.trim(), alt: pictured ? text : undefined }))
        onDone()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        onDone()
      }}
    >
      {pictured ? (
        <TextField
          label={t('uploads.alt')}
          hint={t('uploads.altHint')}
          value={text}
          maxLength={500}
          ref={field}
          onChange={setText}
        />
      ) : null}
      <TextField
        label={t('uploads.name')}
        error={missing ? t('uploads.noName') : undefined}
        value={name}
        maxLength={200}
        {...(pictured ? {} : { ref: field })}
        onChange={setName}
      />
      <Button type="submit" aria-disabled={missing || undefined}>
        {t('uploads.save')}
      </Button>
    </form>
  )
}

/** The current name; for a file refused for its extension, with an allowed extension of the same type. */
function suggestedName({ name, mimeType, reason, listed = [] }: Upload): string {
  if (reason !== 'allowed_file_extensions') return name
  const kind = mimeType.split('/')[1]?.toLowerCase() ?? ''
  const allowed = listed.find((ending) => ending.replace('.', '').replace('jpg', 'jpeg') === kind)
  return allowed === undefined ? name : `${name.replace(/\.[^.]*$/, '')}${allowed}`
}

/** Attachments of the message being edited. Each can be marked for removal; saving the edit removes them. */
export function EditFiles({ place, composer }: { readonly place: Place; readonly composer: ComposerState }) {
  const t = useTexts('composer')
  const id = composer.editing?.messageId
  const attachments = useAppSelector((state) => (id === undefined ? undefined : selectMessage(state, id)?.attachments))
  const own = useAppSelector((state) => {
    const author = id === undefined ? undefined : selectMessage(state, id)?.userId
    return author !== undefined && author === selectSession(state).userId
  })
  const files = attachments?.filter(({ kind }) => kind !== 'link') ?? []
  if (id === undefined || files.length === 0) return null
  return (
    <ul className={styles['tray']} aria-label={t('edit.files')}>
      {files.map((file) => (
        <EditFile
          key={file.index}
          place={place}
          messageId={id}
          file={file}
          dropped={composer.editing?.dropped?.includes(file.index) ?? false}
          erased={composer.editing?.erased?.includes(file.index) ?? false}
          own={own}
        />
      ))}
    </ul>
  )
}

type EditFilesProps = {
  readonly place: Place
  readonly messageId: MessageId
  readonly file: Attachment
  readonly dropped: boolean
  /** The file itself is deleted from the server too. */
  readonly erased: boolean
  /** The viewer's own file; only these can be deleted. */
  readonly own: boolean
}

function EditFile({ place, messageId, file, dropped, erased, own }: EditFilesProps) {
  const t = useTexts('composer')
  const dispatch = useAppDispatch()
  const text = useTexts('messages')
  const name = ownName(file) || text(labelKeyOf(file))
  return (
    <li className={cx(styles['tile'], dropped && styles['blocked'])}>
      <EditThumb messageId={messageId} file={file} />
      <div className={styles['info']}>
        <div className={styles['name']} title={name}>
          <span className="ellipsis">{name}</span>
        </div>
        <div className={styles['state']}>{erased ? t('edit.erased') : dropped ? t('edit.dropped') : null}</div>
      </div>
      <button
        type="button"
        className={styles['remove']}
        aria-label={dropped ? t('edit.restore', { name }) : t('edit.drop', { name })}
        onClick={() => dispatch(attachmentDropped({ key: place.key, index: file.index, on: !dropped }))}
      >
        <Icon name={dropped ? 'undo' : 'x'} size={12} />
      </button>
      {dropped && own && file.hasMedia ? <Erase place={place} index={file.index} name={name} on={erased} /> : null}
    </li>
  )
}

type EraseProps = {
  readonly place: Place
  readonly index: number
  readonly name: string
  readonly on: boolean
}

/** Deletes the file from the server, not only from this message. Not queued in the outbox, so it needs a connection. */
function Erase({ place, index, name, on }: EraseProps) {
  const t = useTexts('composer')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  return (
    <Tooltip text={t(offline ? 'edit.eraseOffline' : 'edit.eraseHint')} side="above">
      <button
        type="button"
        className={styles['describe']}
        aria-label={offline ? `${t('edit.erase', { name })}. ${t('edit.eraseOffline')}` : t('edit.erase', { name })}
        aria-pressed={on}
        aria-disabled={(offline && !on) || undefined}
        onClick={() => (on || !offline) && dispatch(attachmentErased({ key: place.key, index, on: !on }))}
      >
        <Icon name="trash" size={14} />
      </button>
    </Tooltip>
  )
}

function EditThumb({ messageId, file }: Pick<EditFilesProps, 'messageId' | 'file'>) {
  const shows = isPicture(file) || file.hasThumb
  const { url, onError } = useMediaUrl(shows ? mediaRef(messageId, file.index) : undefined, 'thumb')
  return (
    <span className={styles['thumb']} aria-hidden="true">
      {url === undefined ? (
        <Icon name={iconOf(file)} size={20} />
      ) : (
        <img src={url} alt="" draggable={false} onError={onError} />
      )}
    </span>
  )
}
