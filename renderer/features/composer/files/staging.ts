import { useEffect, useRef, useState, type RefObject, useSyncExternalStore } from 'react'
import { errorBodyOf } from '#shared/lib/app-error.ts'
import { FILE_PIECE_BYTES } from '#shared/constants.ts'
import { UPLOAD_LIMIT_BYTES } from '#shared/constants.ts'
import type { Upload } from '#shared/domain/attachment.ts'
import type { EngineClient } from '#shared/bridge/index.ts'
import type { VoiceFacts } from '#shared/rules/composer/voice.ts'
import { chunksOf } from '../../../bridge/chunks.ts'
import { fromBase64 } from '../../../lib/files/base64.ts'
import { pictureSize } from '../../../lib/files/picture-size.ts'
import { loadCode } from '../../../lib/page/part.tsx'
import { COMPOSER_FILES } from '../../../store/composers/files.ts'
import { finishedBeforeSwitch } from '../../../store/accounts.ts'
import { command } from '../../../store/command.ts'
import { failed, fileRemoved, fileReplaced, filesAdded, filesComing } from '../../../store/composers/composers.ts'
import type { Thunk } from '../../../store/store.ts'
import { type Dropped, droppedIn, hasFiles } from '../../../lib/files/dropped-files.ts'
import { useObject } from '../../../store/hooks.ts'
import { selectComposer, type Place } from '../selectors.ts'
import { saveDraft } from '../send/commands.ts'

/** Formats that can be drawn and encoded again. A GIF is left out because it would lose its animation. */
const STILL_FORMATS: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/bmp', 'image/avif'])

/** Whether the photo editor is offered. Which of them are animated is known once they are read. */
export const canEdit = (mimeType: string): boolean => STILL_FORMATS.has(mimeType.toLowerCase())

const canShrink = (mimeType: string): boolean =>
  canEdit(mimeType) && typeof OffscreenCanvas === 'function' && typeof createImageBitmap === 'function'

/** Remedy for a blocked file: another name, or a smaller copy while the picture is still in memory (`isHeld`). */
export function remedyOf({ state, reason, mimeType, renaming }: Upload, isHeld: boolean): 'name' | 'size' | undefined {
  if (state !== 'blocked') return undefined
  if (renaming === 'ready') return 'name'
  return reason === 'size_limit' && isHeld && canShrink(mimeType) ? 'size' : undefined
}

/**
 * Hands files to the engine: announces each so that its tile appears immediately, then streams their bytes one after
 * the other. Continues when another channel is opened.
 */
export function attachFiles(place: Place, files: readonly File[], asFile = false): Thunk<Promise<void>> {
  return finishedBeforeSwitch(async (dispatch, _getState, { engine, objects }) => {
    const copies = objects.of(COMPOSER_FILES)
    const staged: { id: string; file: File }[] = []
    dispatch(filesComing({ key: place.key, count: files.length }))
    for (const file of files) {
      try {
        const upload = await announce(engine, place, file, asFile)
        if (upload.reason === 'size_limit') copies.keepTooLarge(upload.id, file)
        dispatch(filesAdded({ key: place.key, ids: [upload.id] }))
        if (upload.state === 'blocked' && upload.renaming === undefined) continue
        copies.beginCopy(upload.id)
        staged.push({ id: upload.id, file })
      } catch (error) {
        dispatch(failed({ key: place.key, failure: errorBodyOf(error) }))
      } finally {
        dispatch(filesComing({ key: place.key, count: -1 }))
      }
    }
    for (const { id, file } of staged) await dispatch(stream(place, id, file))
  })
}

/**
 * Attaches a recording like a file. Resolves to its id, or to `undefined` when it was refused or could not be copied; the
 * composer then shows why.
 */
export function attachVoice(place: Place, file: File, voice: VoiceFacts): Thunk<Promise<string | undefined>> {
  return finishedBeforeSwitch(async (dispatch, _getState, { engine, objects }) => {
    try {
      const upload = await engine.uploads.begin({
        cid: place.cid,
        parentId: place.parentId,
        name: file.name,
        sizeBytes: file.size,
        mimeType: file.type,
        voice: { duration: voice.duration, waveform: [...voice.waveform] },
      })
      dispatch(filesAdded({ key: place.key, ids: [upload.id] }))
      if (upload.state === 'blocked') return undefined
      objects.of(COMPOSER_FILES).beginCopy(upload.id)
      return (await dispatch(stream(place, upload.id, file))) ? upload.id : undefined
    } catch (error) {
      dispatch(failed({ key: place.key, failure: errorBodyOf(error) }))
      return undefined
    }
  })
}

async function announce(
  engine: EngineClient,
  place: Place,
  file: File,
  asFile: boolean,
  instead: { readonly alt?: string; readonly replaces?: string } = {},
) {
  const size = asFile ? {} : await pictureSize(file)
  return engine.uploads.begin({
    cid: place.cid,
    parentId: place.parentId,
    name: file.name === '' ? 'file' : file.name,
    sizeBytes: file.size,
    mimeType: file.type === '' ? 'application/octet-stream' : file.type,
    ...size,
    ...instead,
    asFile: asFile || undefined,
  })
}

/** Copies a file of the composer. Resolves to false if that failed, which removes it; not if the user has removed it. */
function stream(place: Place, id: string, file: File): Thunk<Promise<boolean>> {
  return async (dispatch, _getState, { engine, objects }) => {
    const copies = objects.of(COMPOSER_FILES)
    const signal = copies.copySignal(id)
    try {
      await copy(engine, id, file, signal)
      return true
    } catch (error) {
      if (signal?.aborted === true) return true
      dispatch(failed({ key: place.key, failure: errorBodyOf(error) }))
      await dispatch(removeFile(place, id))
      return false
    } finally {
      copies.endCopy(id)
    }
  }
}

/** Copies an announced file to the staging folder. Ends early, without an error, once it is stopped. */
async function copy(engine: EngineClient, id: string, file: File, signal: AbortSignal | undefined): Promise<void> {
  for await (const { base64 } of chunksOf(file)) {
    if (signal?.aborted === true) return
    await engine.uploads.chunk({ id, base64 })
  }
  if (signal?.aborted !== true) await engine.uploads.finish({ id })
}

/** Removes a file from the composer and stops its copying and upload. */
export function removeFile(place: Place, id: string): Thunk<Promise<void>> {
  return finishedBeforeSwitch(async (dispatch, _getState, { engine, objects }) => {
    const copies = objects.of(COMPOSER_FILES)
    copies.stopCopy(id)
    copies.forget(id)
    dispatch(fileRemoved({ key: place.key, id }))
    await cancelUpload(engine, id)
  })
}

async function cancelUpload(engine: EngineClient, id: string): Promise<void> {
  try {
    await engine.uploads.cancel({ id })
  } catch (error) {
    console.debug('upload was already removed', error)
  }
}

/** The bytes of a file in the composer, as they were attached. Rejects if they are gone. */
export function stagedFile({ id, name, mimeType }: Pick<Upload, 'id' | 'name' | 'mimeType'>): Thunk<Promise<File>> {
  return async (_dispatch, _getState, { engine, objects }) => {
    await objects.of(COMPOSER_FILES).whenCopied([id])
    const pieces: Uint8Array<ArrayBuffer>[] = []
    for (let start = 0, size = 1; start < size; start += FILE_PIECE_BYTES) {
      const { base64, sizeBytes } = await engine.uploads.bytes({ id, start, length: FILE_PIECE_BYTES })
      pieces.push(fromBase64(base64))
      size = sizeBytes
    }
    return new File(pieces, name, { type: mimeType })
  }
}

type Replacement = Pick<Upload, 'id' | 'kind' | 'alt'>

/**
 * Attaches another version of a file in its place. The first one is removed only once the new one is on disk and the draft
 * on disk names it: a failure or a crash before that leaves the first one attached. Resolves to false if the new one was
 * not accepted, with the reason in the composer; if it was stopped; or if the first one was sent or removed meanwhile.
 */
export function replaceFile(
  place: Place,
  { id, kind, alt }: Replacement,
  file: File,
  stop?: AbortSignal,
): Thunk<Promise<boolean>> {
  return finishedBeforeSwitch(async (dispatch, getState, { engine, objects }) => {
    const copies = objects.of(COMPOSER_FILES)
    const { key } = place
    const isHere = (one: string): boolean => selectComposer(getState(), key).uploadIds.includes(one)
    const isStopped = (): boolean => stop?.aborted === true
    let by: string | undefined
    try {
      if (isStopped()) return false
      const upload = await announce(engine, place, file, kind === 'file', { alt, replaces: id })
      by = upload.id
      if (upload.state === 'blocked') throw new Unwanted()
      copies.beginCopy(by)
      await copy(engine, by, file, stop)
      if (isStopped() || !isHere(id)) throw new Unwanted()
      dispatch(fileReplaced({ key, id, by }))
      if (!(await dispatch(saveDraft(place))) && isHere(by)) {
        dispatch(fileReplaced({ key, id: by, by: id }))
        throw new Unwanted()
      }
    } catch (error) {
      if (!(error instanceof Unwanted)) dispatch(failed({ key, failure: errorBodyOf(error) }))
      if (by !== undefined) await cancelUpload(engine, by)
      return false
    } finally {
      if (by !== undefined) copies.endCopy(by)
    }
    copies.forget(id)
    await cancelUpload(engine, id)
    return true
  })
}

/** The new version of a file is not needed, or was refused with a notice. */
class Unwanted extends Error {}

/** Sets a file's name and a picture's description for screen readers. */
const describeFile = command('composer/fileDescribed', (input: { id: string; alt?: string; name?: string }, engine) =>
  engine.uploads.describe(input),
)

export const pauseUpload = command('composer/uploadPaused', ({ id }: { id: string }, engine) =>
  engine.uploads.pause({ id }),
)
export const resumeUpload = command('composer/uploadResumed', ({ id }: { id: string }, engine) =>
  engine.uploads.retry({ id }),
)

/** Renames or describes a file. A failed upload is tried again under the new name. */
export function changeFile(
  place: Place,
  change: { readonly id: string; readonly name: string; readonly alt?: string },
): Thunk<Promise<void>> {
  return async (dispatch, getState) => {
    const described = await dispatch(describeFile(change))
    const { state } = getState().entities.uploads[change.id] ?? {}
    if (described.ok && state === 'failed') await dispatch(retryFile(place, change.id))
  }
}

/**
 * Replaces a picture over the size limit with a smaller copy; if none is small enough the composer says so, and the picture
 * stays.
 */
export function shrinkFile(
  place: Place,
  { limit = UPLOAD_LIMIT_BYTES, ...upload }: Replacement & Pick<Upload, 'limit'>,
  nameOf: (base: string) => string,
): Thunk<Promise<void>> {
  return finishedBeforeSwitch(async (dispatch, _getState, { objects }) => {
    const file = objects.of(COMPOSER_FILES).tooLarge(upload.id)
    const { smallerCopy } = await loadCode(() => import('./smaller-copy.ts'))
    const smaller = file && (await smallerCopy(file, limit, nameOf))
    if (smaller !== undefined) await dispatch(replaceFile(place, upload, smaller))
    else dispatch(failed({ key: place.key, failure: { code: 'upload/not-smaller' } }))
  })
}

export function retryFile(place: Place, id: string): Thunk<Promise<void>> {
  return async (dispatch, _getState, { engine }) => {
    try {
      await engine.uploads.retry({ id })
    } catch (error) {
      dispatch(failed({ key: place.key, failure: errorBodyOf(error) }))
    }
  }
}

/**
 * Accepts files and folders dropped anywhere on the sheet around the composer; with Shift pictures are attached as plain
 * files.
 *
 * @returns how many files are dragged over the sheet; undefined when none are
 */
export function useDrop(
  inside: RefObject<HTMLElement | null>,
  enabled: boolean,
  onDrop: (dropped: Dropped, asFile: boolean) => void,
): number | undefined {
  const [dragged, setDragged] = useState<number>()
  const latest = useRef(onDrop)
  useEffect(() => {
    latest.current = onDrop
  })
  useEffect(() => {
    const sheet = inside.current?.closest<HTMLElement>('main, aside') ?? inside.current
    if (!enabled || sheet === null) return undefined
    const stop = new AbortController()
    const on = (type: 'dragenter' | 'dragover' | 'dragleave' | 'drop', listener: (event: DragEvent) => void): void =>
      sheet.addEventListener(type, listener, { signal: stop.signal })
    const over = (event: DragEvent): void => {
      if (!hasFiles(event.dataTransfer)) return
      event.preventDefault()
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy'
      sheet.dataset['dropping'] = ''
      setDragged(countOf(event))
    }
    const leave = (): void => {
      delete sheet.dataset['dropping']
      setDragged(undefined)
    }
    on('dragenter', over)
    on('dragover', over)
    on('dragleave', (event) => {
      if (!(event.relatedTarget instanceof Node) || !sheet.contains(event.relatedTarget)) leave()
    })
    on('drop', (event) => {
      if (!hasFiles(event.dataTransfer)) return
      event.preventDefault()
      leave()
      const { shiftKey } = event
      void droppedIn(event.dataTransfer).then((dropped) => latest.current(dropped, shiftKey))
    })
    return () => {
      stop.abort()
      leave()
    }
  }, [inside, enabled])
  return dragged
}

const countOf = (event: DragEvent): number =>
  [...(event.dataTransfer?.items ?? [])].filter((item) => item.kind === 'file').length || 1

/** Accepts files and folders that were dropped on this conversation's row in the sidebar. */
export function useHandedFiles(key: string, enabled: boolean, onDrop: (dropped: Dropped) => void): void {
  const latest = useRef(onDrop)
  useEffect(() => {
    latest.current = onDrop
  })
  const files = useObject(COMPOSER_FILES)
  useEffect(() => (enabled ? files.receive(key, (handed) => latest.current(handed)) : undefined), [files, key, enabled])
}

/** Files of a paste. Office programs add a picture of the copied text; then the text is pasted, not the picture. */
export function pastedFiles(data: DataTransfer): readonly File[] {
  const isText =
    data.types.includes('text/plain') && (data.types.includes('text/html') || data.types.includes('text/rtf'))
  return isText ? [] : [...data.files]
}

/** Files that did not fit into the current message. Stored outside the composer, because another channel may be opened. */
type LeftFiles = {
  readonly files: readonly File[]
  readonly add: (files: readonly File[]) => void
  /** Removes and returns all of them. */
  readonly take: () => readonly File[]
}

export function useLeftFiles(key: string): LeftFiles {
  const all = useObject(COMPOSER_FILES)
  const files = useSyncExternalStore(all.watchLeftOver, () => all.leftOver(key))
  return {
    files,
    add: (more) => all.setLeftOver(key, [...all.leftOver(key), ...more]),
    take: () => {
      const taken = all.leftOver(key)
      all.setLeftOver(key, [])
      return taken
    },
  }
}

/** Once the previous message is sent, attaches as many of the leftover files as fit. */
export function useNextFiles(isFree: boolean, left: LeftFiles, attach: (files: readonly File[]) => void): void {
  const latest = useRef({ left, attach })
  useEffect(() => {
    latest.current = { left, attach }
  })
  // Runs on `isFree` alone: while files are being added to `left`, the ones before them are still being announced.
  useEffect(() => {
    const { left: waiting, attach: add } = latest.current
    if (isFree && waiting.files.length > 0) add(waiting.take())
  }, [isFree])
}
