import { useEffect, useRef, useState, type DragEvent } from 'react'
import {
  type EmojiTerms,
  EMOJI_TYPES,
  type EmojiType,
  EMOJI_NAME_LENGTH,
  type CustomEmoji,
  EMOJI_ALIASES,
} from '#shared/domain/emoji.ts'
import { asEmojiName, emojiCode, emojiNameFault, type EmojiNameFault } from '#shared/rules/messages/emoji.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { command } from '../../../store/command.ts'
import { useFormats, useTexts, useErrorText } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppDispatch, useAppSelector } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { cx } from '../../../lib/cx.ts'
import { droppedIn, hasFiles } from '../../../lib/files/dropped-files.ts'
import { toBase64 } from '../../../lib/files/base64.ts'
import { TextField } from '../../../ui/Field/TextField.tsx'
import { selectEmojiList } from '../../../store/selectors.ts'
import styles from './Emoji.module.css'

type NewEmoji = { name: string; aliases: string[]; base64: string; mimeType: EmojiType }

/** Errors are shown in the form. */
const addEmoji = command('emoji/added', (input: NewEmoji, engine) => engine.emoji.add(input), { quiet: true })

type Props = { readonly terms: EmojiTerms; readonly onAdded: () => void }

/** Form for a new emoji: picture, preview and names. Stays filled in until the emoji is added. */
export function AddEmoji({ terms, onAdded }: Props) {
  const t = useTexts('emoji')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const form = useNamesForm({ name: '', aliases: [] })
  const [picture, setPicture] = useState<EmojiPicture>()
  const [fault, setFault] = useState<PictureFault | 'missing'>()
  const [working, setWorking] = useState(false)
  const chosen = useRef(0)
  const choose = async (file: File): Promise<void> => {
    const mine = (chosen.current += 1)
    const read = await readPicture(file, terms)
    // Another file was chosen in the meantime.
    if (mine !== chosen.current) return
    if ('fault' in read) return setFault(read.fault)
    setFault(undefined)
    setPicture(read)
    if (form.name === '') form.setName(asEmojiName(file.name))
  }
  const submit = async (): Promise<void> => {
    const names = form.take()
    if (picture === undefined) setFault('missing')
    if (names === undefined || picture === undefined) return
    setWorking(true)
    const added = await dispatch(addEmoji({ ...names, base64: picture.base64, mimeType: picture.mimeType }))
    setWorking(false)
    if (!added.ok) return form.refuse(added.error)
    announce(t('page.added', { code: emojiCode(names.name) }))
    onAdded()
  }
  const limits = { size: formats.bytes(terms.maxBytes), side: terms.maxSide }
  return (
    <form
      className={styles['form']}
      aria-label={t('page.add')}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!working) void submit()
      }}
    >
      <PictureDrop again={picture !== undefined} onFile={(file) => void choose(file)} />
      {fault === undefined ? (
        <p className={styles['note']}>{t('page.pictureHint', limits)}</p>
      ) : (
        <p role="alert" className={styles['error']}>
          {t(`page.picture.${fault}`, limits)}
        </p>
      )}
      {picture === undefined ? null : <EmojiPreview bitmap={picture.bitmap} />}
      <NameFields form={form} nameHint={t('page.nameHint')} />
      <div className={styles['buttons']}>
        <Button type="submit" variant="primary" working={working}>
          {t('page.addNow')}
        </Button>
      </div>
    </form>
  )
}

/** Preview of the emoji inline and alone, on light and dark. */
function EmojiPreview({ bitmap }: { readonly bitmap: ImageBitmap }) {
  const t = useTexts('emoji')
  return (
    <div role="img" aria-label={t('page.preview')} className={styles['previews']}>
      {(['light', 'dark'] as const).map((theme) => (
        <div key={theme} data-theme={theme} className={styles['preview']} aria-hidden="true">
          <p>
            {t('page.sampleBefore')} <Drawn bitmap={bitmap} side={21} /> {t('page.sampleAfter')}
          </p>
          <p>
            <Drawn bitmap={bitmap} side={42} />
          </p>
        </div>
      ))}
    </div>
  )
}

/** Canvas pixels per CSS pixel, so that it is sharp on high-density screens. */
const DENSITY = 2

function Drawn({ bitmap, side }: { readonly bitmap: ImageBitmap; readonly side: number }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    if (canvas.current !== null) drawInto(canvas.current, bitmap, side * DENSITY)
  }, [bitmap, side])
  return <canvas ref={canvas} className={styles['drawn']} style={{ height: side }} />
}

type PictureDropProps = { readonly again: boolean; readonly onFile: (file: File) => void }

/** Takes a picture by file picker, drop, or paste anywhere on the page. */
function PictureDrop({ again, onFile }: PictureDropProps) {
  const t = useTexts('emoji')
  const field = useRef<HTMLInputElement>(null)
  const [isDraggedOver, setDraggedOver] = useState(false)
  usePastedPicture(onFile)
  const over = (event: DragEvent): void => {
    if (!hasFiles(event.dataTransfer)) return
    event.preventDefault()
    setDraggedOver(true)
  }
  const drop = (event: DragEvent): void => {
    if (!hasFiles(event.dataTransfer)) return
    event.preventDefault()
    setDraggedOver(false)
    void droppedIn(event.dataTransfer).then(({ files }) => files[0] && onFile(files[0]))
  }
  return (
    <div
      role="presentation"
      className={cx(styles['drop'], isDraggedOver && styles['draggedOver'])}
      onDragEnter={over}
      onDragOver={over}
      onDragLeave={() => setDraggedOver(false)}
      onDrop={drop}
    >
      <Button icon="image" onClick={() => field.current?.click()}>
        {t(again ? 'page.chooseAgain' : 'page.choose')}
      </Button>
      <span className={styles['dropHint']}>{t('page.dropHint')}</span>
      <input
        ref={field}
        type="file"
        hidden
        aria-label={t('page.choose')}
        accept={EMOJI_TYPES.join(',')}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          currentTarget.value = ''
          if (file) onFile(file)
        }}
      />
    </div>
  )
}

/** Pasted text is left to the focused field. */
function usePastedPicture(onFile: (file: File) => void): void {
  const latest = useRef(onFile)
  useEffect(() => {
    latest.current = onFile
  })
  useEffect(() => {
    const paste = (event: ClipboardEvent): void => {
      const file = [...(event.clipboardData?.files ?? [])].find(({ type }) => type.startsWith('image/'))
      if (file === undefined || event.defaultPrevented) return
      event.preventDefault()
      latest.current(file)
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [])
}

/** Size in pixels to which a large picture is scaled down: sharp at every size an emoji is shown. */
const SMALL_SIDE = 128

type EmojiPicture = {
  readonly base64: string
  readonly mimeType: EmojiType
  /** The picture, or the first frame of an animated one. */
  readonly bitmap: ImageBitmap
}

/** Why a file cannot be an emoji; `large`: animated and over the limit. */
type PictureFault = 'type' | 'unreadable' | 'large'

/** Prepares a chosen picture for upload. One within the limits is unchanged; a larger still one is scaled down. */
async function readPicture(
  file: Blob,
  { maxBytes, maxSide }: Pick<EmojiTerms, 'maxBytes' | 'maxSide'>,
): Promise<EmojiPicture | { readonly fault: PictureFault }> {
  const mimeType = EMOJI_TYPES.find((type) => type === file.type)
  if (mimeType === undefined) return { fault: 'type' }
  try {
    const bitmap = await createImageBitmap(file)
    const fits = file.size <= maxBytes && Math.max(bitmap.width, bitmap.height) <= maxSide
    if (fits) return { base64: await base64Of(file), mimeType, bitmap }
    if (mimeType === 'image/gif') return { fault: 'large' }
    const small = await smaller(bitmap)
    return { base64: await base64Of(small), mimeType: 'image/png', bitmap }
  } catch {
    // The browser could not decode the picture.
    return { fault: 'unreadable' }
  }
}

const base64Of = async (blob: Blob): Promise<string> => toBase64(new Uint8Array(await blob.arrayBuffer()))

async function smaller(bitmap: ImageBitmap): Promise<Blob> {
  const canvas = document.createElement('canvas')
  drawInto(canvas, bitmap, SMALL_SIDE)
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error('no picture')) : resolve(blob)), 'image/png')
  })
}

/** Draws a picture with its longer side scaled to `side` pixels. */
function drawInto(canvas: HTMLCanvasElement, bitmap: ImageBitmap, side: number): void {
  const scale = side / Math.max(bitmap.width, bitmap.height)
  canvas.width = Math.max(1, Math.round(bitmap.width * scale))
  canvas.height = Math.max(1, Math.round(bitmap.height * scale))
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
}

type NameFieldsProps = { readonly form: NamesForm; readonly nameHint: string }

/** The two fields of {@link NamesForm}, with other errors below. */
export function NameFields({ form, nameHint }: NameFieldsProps) {
  const t = useTexts('emoji')
  return (
    <>
      <TextField
        label={t('page.name')}
        hint={nameHint}
        value={form.name}
        maxLength={EMOJI_NAME_LENGTH}
        autoComplete="off"
        spellCheck={false}
        mono
        error={form.nameError}
        onChange={form.setName}
      />
      <TextField
        label={t('page.aliases')}
        optional={t('page.optional')}
        hint={t('page.aliasesHint')}
        value={form.aliases}
        maxLength={400}
        autoComplete="off"
        spellCheck={false}
        mono
        error={form.aliasesError}
        onChange={form.setAliases}
      />
      {form.otherError === undefined ? null : (
        <p role="alert" className={styles['error']}>
          {form.otherError}
        </p>
      )}
    </>
  )
}

type NamesForm = {
  readonly name: string
  readonly aliases: string
  readonly setName: (name: string) => void
  readonly setAliases: (aliases: string) => void
  readonly nameError: string | undefined
  readonly aliasesError: string | undefined
  /** An error that belongs to no field. */
  readonly otherError: string | undefined
  /** The validated names; undefined if invalid, and from then on errors are shown. */
  readonly take: () => { name: string; aliases: string[] } | undefined
  readonly refuse: (error: ErrorBody) => void
}

/** Form state for an emoji's name and aliases, with errors per field. */
export function useNamesForm(before: { name: string; aliases: readonly string[] }, own?: string): NamesForm {
  const t = useTexts('emoji')
  const errorText = useErrorText()
  const list = useAppSelector(selectEmojiList)
  const [name, setName] = useState(before.name)
  const [aliases, setAliases] = useState(before.aliases.join(', '))
  const [tried, setTried] = useState(false)
  const [refused, setRefused] = useState<ErrorBody>()
  const fault = tried ? namesFault(list, name, namesIn(aliases), own) : undefined
  const label = fault && t(`page.faults.${fault.fault}`, { name: fault.name, max: EMOJI_ALIASES })
  const changing =
    (set: (text: string) => void) =>
    (text: string): void => {
      setRefused(undefined)
      set(text)
    }
  return {
    name,
    aliases,
    setName: changing((text) => setName(text.toLowerCase())),
    setAliases: changing(setAliases),
    nameError: fault?.field === 'name' ? label : undefined,
    aliasesError: fault?.field === 'aliases' ? label : undefined,
    otherError: refused && errorText(refused),
    take() {
      setTried(true)
      const names = namesIn(aliases)
      return namesFault(list, name, names, own) === undefined ? { name, aliases: names } : undefined
    },
    refuse: setRefused,
  }
}

/** Parses `party, :yay:` into names without duplicates. */
const namesIn = (text: string): string[] => [...new Set(text.toLowerCase().split(/[\s,;:]+/))].filter(Boolean)

type NamesFault = { readonly field: 'name' | 'aliases'; readonly fault: EmojiNameFault | 'many'; name: string }

/** Validation error of an emoji's names; `own`: the emoji being renamed. */
function namesFault(
  list: readonly CustomEmoji[],
  name: string,
  aliases: readonly string[],
  own?: string,
): NamesFault | undefined {
  const others = list.filter((each) => each.name !== own)
  const taken = new Set(others.flatMap((each) => [each.name, ...each.aliases]))
  const faultOf = (field: NamesFault['field'], each: string): NamesFault | undefined => {
    const fault = emojiNameFault(each, taken)
    return fault && { field, fault, name: each }
  }
  const first = faultOf('name', name) ?? aliases.map((alias) => faultOf('aliases', alias)).find(Boolean)
  // A previous name stays as an alias.
  const former = own === undefined || own === name || aliases.includes(own) ? 0 : 1
  if (!first && aliases.length + former > EMOJI_ALIASES) return { field: 'aliases', fault: 'many', name }
  return first
}
