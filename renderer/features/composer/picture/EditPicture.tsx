import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import type { Upload } from '#shared/domain/attachment.ts'
import { useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppDispatch, useHost } from '../../../store/hooks.ts'
import { Button, IconButton } from '../../../ui/Button/Button.tsx'
import { Segments } from '../../../ui/Choice/Choice.tsx'
import { Dialog, DialogText, Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import { keysOf } from '../../../lib/text/chords.ts'
import { replaceFile, stagedFile } from '../files/staging.ts'
import type { Place } from '../selectors.ts'
import {
  after,
  areaSeen,
  areaUnder,
  cropped,
  FIRST,
  isChanged,
  marked,
  partOf,
  redone,
  turned,
  undone,
  UNCHANGED,
  type Area,
  type Edit,
  type Steps,
  decode,
  editedFile,
  type Decoded,
  type Unfit,
} from './edit.ts'
import { PictureCanvas, type Tool } from './PictureCanvas.tsx'
import styles from './EditPicture.module.css'

type Props = {
  readonly place: Place
  readonly upload: Upload
  /** Its edited version is being attached: it stays on screen until that is done, although its tile goes. */
  readonly onApplying: (isApplying: boolean) => void
  readonly onClose: () => void
}

type Opened = { readonly file: File; readonly picture: Decoded }

/** Crops, turns and draws on a photo of the composer, and blacks out parts of it. The original stays until Apply. */
export function EditPicture(props: Props) {
  const { upload, onClose } = props
  const t = useTexts('composer')
  const opened = useOpened(upload)
  if (typeof opened === 'object') return <Editor {...props} opened={opened} />
  return (
    <Dialog
      title={t('picture.title')}
      width={400}
      onClose={onClose}
      actions={<Button onClick={onClose}>{t('cancel')}</Button>}
    >
      {opened === 'opening' ? (
        <DialogText>{t('picture.opening')}</DialogText>
      ) : (
        <Refusal text={t(`picture.${opened}`)} />
      )}
    </Dialog>
  )
}

/** The picture of an upload once it is decoded; its memory is released with the dialog. */
function useOpened({ id, name, mimeType }: Upload): Opened | 'opening' | Unfit {
  const dispatch = useAppDispatch()
  const [opened, setOpened] = useState<Opened | 'opening' | Unfit>('opening')
  useEffect(() => {
    let live = true
    let picture: Decoded | Unfit | undefined
    const open = async (): Promise<void> => {
      const file = await dispatch(stagedFile({ id, name, mimeType }))
      picture = await decode(file)
      if (!live) release(picture)
      else setOpened(typeof picture === 'object' ? { file, picture } : picture)
    }
    open().catch((error: unknown) => {
      console.debug('picture not read', error)
      if (live) setOpened('broken')
    })
    return () => {
      live = false
      release(picture)
    }
  }, [dispatch, id, name, mimeType])
  return opened
}

const release = (picture: Decoded | Unfit | undefined): void => {
  if (typeof picture === 'object') picture.screen.close()
}

function Editor({ place, upload, opened, onApplying, onClose }: Props & { readonly opened: Opened }) {
  const t = useTexts('composer')
  const dispatch = useAppDispatch()
  const [steps, setSteps] = useState(FIRST)
  const [tool, setTool] = useState<Tool>('crop')
  const [color, setColor] = useState<ColorName>('red')
  const [state, setState] = useState<'editing' | 'asking' | 'applying' | 'failed'>('editing')
  const hintId = useId()
  const { picture, file } = opened
  const change = (next: Edit): void => setSteps((before) => after(before, next))
  const applying = useRef<AbortController>(undefined)
  const leave = (): void => {
    if (applying.current !== undefined) applying.current.abort()
    else if (isChanged(steps)) setState('asking')
    else onClose()
  }
  const apply = async (): Promise<void> => {
    if (!isChanged(steps)) return onClose()
    const stop = new AbortController()
    applying.current = stop
    setState('applying')
    onApplying(true)
    const made = await editedFile(file, steps.now)
    const isApplied = made !== undefined && (await dispatch(replaceFile(place, upload, made, stop.signal)))
    applying.current = undefined
    onApplying(false)
    if (isApplied) {
      announce(t('picture.applied', { name: upload.name }))
      onClose()
    } else setState(stop.signal.aborted ? 'editing' : 'failed')
  }
  return (
    <Dialog
      title={t('picture.title')}
      width={840}
      onClose={leave}
      hint={<span id={hintId}>{t(`picture.keys.${tool}`)}</span>}
      actions={
        <>
          <Button onClick={leave}>{t('cancel')}</Button>
          <Button variant="primary" working={state === 'applying'} onClick={() => void apply()}>
            {t('picture.apply')}
          </Button>
        </>
      }
    >
      <div role="presentation" className={styles['editor']} onKeyDown={(event) => stepByKey(event, setSteps)}>
        <Toolbar steps={steps} tool={tool} color={color} onTool={setTool} onColor={setColor} onSteps={setSteps} />
        <PictureCanvas
          picture={picture}
          edit={steps.now}
          tool={tool}
          color={COLORS[color]}
          hintId={hintId}
          onCrop={(area) => change(cropped(steps.now, area, picture))}
          onMark={(mark) => change(marked(steps.now, mark))}
        />
        <CropFields edit={steps.now} picture={picture} onChange={change} />
        <Refusal text={state === 'failed' ? t('picture.failed') : undefined} />
      </div>
      {state === 'asking' ? <Discard onKeep={() => setState('editing')} onDiscard={onClose} /> : null}
    </Dialog>
  )
}

/** Undo and redo by their usual keys, except in a field, which has its own. */
function stepByKey(event: KeyboardEvent, onSteps: (step: (before: Steps) => Steps) => void): void {
  const { key, shiftKey, ctrlKey, metaKey, altKey, target } = event
  if ((!ctrlKey && !metaKey) || altKey || target instanceof HTMLInputElement) return
  const letter = key.toLowerCase()
  const step = letter === 'y' || (letter === 'z' && shiftKey) ? redone : letter === 'z' ? undone : undefined
  if (step === undefined) return
  event.preventDefault()
  event.stopPropagation()
  onSteps(step)
}

const COLORS = { red: '#e5322d', yellow: '#ffd60a', blue: '#0a6cff', white: '#ffffff', black: '#000000' } as const
type ColorName = keyof typeof COLORS
const COLOR_NAMES = Object.keys(COLORS) as readonly ColorName[]
const TOOLS = ['crop', 'cover', 'draw'] as const

type ToolbarProps = {
  readonly steps: Steps
  readonly tool: Tool
  readonly color: ColorName
  readonly onTool: (tool: Tool) => void
  readonly onColor: (color: ColorName) => void
  readonly onSteps: (step: (before: Steps) => Steps) => void
}

function Toolbar({ steps, tool, color, onTool, onColor, onSteps }: ToolbarProps) {
  const t = useTexts('composer')
  const { os } = useHost()
  const turn = (by: 1 | -1) => () => onSteps((before) => after(before, turned(before.now, by)))
  return (
    <div className={styles['toolbar']}>
      <Segments
        label={t('picture.tool')}
        value={tool}
        onChange={onTool}
        choices={TOOLS.map((value) => ({ value, label: t(`picture.tools.${value}`) }))}
      />
      {tool === 'draw' ? (
        <Segments
          label={t('picture.color')}
          value={color}
          onChange={onColor}
          choices={COLOR_NAMES.map((value) => ({ value, label: t(`picture.colors.${value}`) }))}
        />
      ) : null}
      <span className={styles['steps']}>
        <IconButton icon="rotate-left" label={t('picture.left')} onClick={turn(-1)} />
        <IconButton icon="rotate" label={t('picture.right')} onClick={turn(1)} />
        <IconButton
          icon="undo"
          label={t('picture.undo')}
          keys={keysOf('Mod+Z', os)}
          aria-disabled={steps.past.length === 0 || undefined}
          onClick={() => onSteps(undone)}
        />
        <IconButton
          icon="redo"
          label={t('picture.redo')}
          keys={keysOf('Mod+Shift+Z', os)}
          aria-disabled={steps.future.length === 0 || undefined}
          onClick={() => onSteps(redone)}
        />
      </span>
    </div>
  )
}

type CropFieldsProps = {
  readonly edit: Edit
  readonly picture: Decoded
  readonly onChange: (edit: Edit) => void
}

const SIDES = ['x', 'y', 'width', 'height'] as const

/** The part that remains, in pixels of the picture as it is turned. */
function CropFields({ edit, picture, onChange }: CropFieldsProps) {
  const t = useTexts('composer')
  const [draft, setDraft] = useState<{ side: keyof Area; text: string }>()
  const part = areaSeen(partOf(edit, picture), edit.turns, picture)
  const commit = (): void => {
    if (draft === undefined) return
    setDraft(undefined)
    const value = Number(draft.text)
    if (draft.text.trim() === '' || !Number.isFinite(value) || value === part[draft.side]) return
    onChange(cropped(edit, areaUnder({ ...part, [draft.side]: value }, edit.turns, picture), picture))
  }
  return (
    <div className={styles['fields']}>
      {SIDES.map((side) => (
        <TextField
          key={side}
          label={t(`picture.sides.${side}`)}
          inputMode="numeric"
          maxLength={5}
          value={draft?.side === side ? draft.text : String(part[side])}
          onChange={(text) => setDraft({ side, text })}
          onBlur={commit}
          onKeyDown={(event) => event.key === 'Enter' && commit()}
        />
      ))}
      <Button
        aria-disabled={edit.crop === undefined || undefined}
        onClick={() => {
          if (edit.crop !== undefined) onChange(cropped(edit, partOf(UNCHANGED, picture), picture))
        }}
      >
        {t('picture.whole')}
      </Button>
    </div>
  )
}

function Discard({ onKeep, onDiscard }: { readonly onKeep: () => void; readonly onDiscard: () => void }) {
  const t = useTexts('composer')
  const keep = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      alert
      width={400}
      title={t('picture.discardTitle')}
      initialFocus={keep}
      onClose={onKeep}
      actions={
        <>
          <Button ref={keep} onClick={onKeep}>
            {t('cancel')}
          </Button>
          <Button variant="danger" onClick={onDiscard}>
            {t('picture.discard')}
          </Button>
        </>
      }
    >
      <DialogText>{t('picture.discardText')}</DialogText>
    </Dialog>
  )
}
