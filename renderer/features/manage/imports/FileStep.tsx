import { useEffect, useRef, useState, type DragEvent, type RefObject } from 'react'
import { IMPORT_SOURCES, type ImportSource } from '#shared/domain/imports.ts'
import { useErrorText, useFormats, useTexts } from '../../../i18n/index.ts'
import { cx } from '../../../lib/cx.ts'
import { droppedIn, hasFiles, type Dropped } from '../../../lib/files/dropped-files.ts'
import { useRoving } from '../../../lib/page/roving.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { closeImport, handOver, stopImport, type ExportFile, type Import } from './commands.ts'
import { Bar, Notice, StepHeading } from './Steps.tsx'
import styles from './Imports.module.css'

type Props = { readonly importing: Import }

/** What a window can hand over in a sensible time. */
const FOLDER_LIMITS = { files: 100_000, bytes: 64 * 1024 ** 3 }

/** Which of them are folders: the others are one file, or some. */
const FOLDERS: ReadonlySet<ImportSource> = new Set(['telegram', 'discord'])

/** Where from, and the export itself. */
export function FileStep({ importing }: Props) {
  const t = useTexts('imports')
  const { state } = importing
  const [source, setSource] = useState<ImportSource>(state?.source ?? 'slack')
  const { copying, hand, cancel } = useHanding(importing)
  const reading = state?.progress.step === 'reading' ? state.progress : undefined
  if (copying !== undefined || reading !== undefined) {
    return <Reading copying={copying} reading={reading} onCancel={cancel} />
  }
  return (
    <div className={styles['column']}>
      <p className={styles['lead']}>{t('intro')}</p>
      <Refused importing={importing} />
      <div className={styles['two']}>
        <Sources source={source} onChange={setSource} />
        <DropArea source={source} onFiles={(name, files) => hand(source, name, files)} />
      </div>
    </div>
  )
}

type Copying = { readonly done: number; readonly total: number }

/** Hands an export over to main, where it is read. */
function useHanding(importing: Import) {
  const [copying, setCopying] = useState<Copying>()
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])
  const hand = async (source: ImportSource, name: string, files: readonly ExportFile[]): Promise<void> => {
    const total = files.reduce((sum, { file }) => sum + file.size, 0)
    const controller = new AbortController()
    stop.current = controller
    setCopying({ done: 0, total })
    const onProgress = (done: number): void => setCopying({ done, total })
    await importing.run(handOver({ source, name, files, signal: controller.signal, onProgress }))
    setCopying(undefined)
  }
  const cancel = (): void => {
    if (copying === undefined) void importing.run(stopImport())
    else stop.current?.abort()
  }
  return { copying, hand, cancel }
}

type ReadingProps = {
  readonly copying: Copying | undefined
  readonly reading: { readonly messages: number; readonly share: number } | undefined
  readonly onCancel: () => void
}

function Reading({ copying, reading, onCancel }: ReadingProps) {
  const t = useTexts('imports')
  const common = useTexts('common')
  const formats = useFormats()
  const share = copying ? copying.done / Math.max(1, copying.total) : (reading?.share ?? 0)
  return (
    <div className={styles['column']}>
      <section className={styles['card']} aria-label={t('reading.title')}>
        <div className={styles['cardHead']}>
          <StepHeading>{t('reading.title')}</StepHeading>
          <span className={styles['number']}>
            {copying
              ? t('reading.copying', { done: formats.bytes(copying.done), total: formats.bytes(copying.total) })
              : t('reading.count', { count: reading?.messages ?? 0 })}
          </span>
        </div>
        <Bar key={copying ? 'copying' : 'reading'} value={share} label={t('reading.title')} />
        <div className={styles['cardFoot']}>
          <span>{t('reading.safe')}</span>
          <Button size="small" onClick={onCancel}>
            {common('cancel')}
          </Button>
        </div>
      </section>
    </div>
  )
}

/** Why the last file was not read, or was read and has nothing to import. */
function Refused({ importing }: Props) {
  const t = useTexts('imports')
  const errorText = useErrorText()
  const formats = useFormats()
  const { state, error, run } = importing
  if (error !== undefined) return <Notice icon="alert-circle" tone="error" title={errorText(error)} text="" />
  if (state?.progress.step !== 'refused') return null
  const { reason, missing = '', bytes } = state.progress.refusal
  const kind = reason === 'bomb' && bytes === undefined ? 'many' : reason
  const source = t(`sources.${state.source ?? 'slack'}`)
  return (
    <Notice
      icon={reason === 'bomb' || reason === 'names' ? 'shield' : 'alert-circle'}
      tone="error"
      title={t(`refused.${kind}.title`, { source })}
      text={t(`refused.${kind}.text`, { missing, size: formats.bytes(bytes ?? 0) })}
      action={
        <Button size="small" onClick={() => void run(closeImport())}>
          {t('refused.again')}
        </Button>
      }
    />
  )
}

type SourcesProps = { readonly source: ImportSource; readonly onChange: (source: ImportSource) => void }

function Sources({ source, onChange }: SourcesProps) {
  const t = useTexts('imports')
  const roving = useRoving({ ids: IMPORT_SOURCES, initialId: source })
  const { ref, ...listeners } = roving.containerProps
  return (
    <div
      ref={(element) => {
        ref.current = element
      }}
      role="radiogroup"
      aria-label={t('sources.label')}
      className={styles['sources']}
      {...listeners}
    >
      {IMPORT_SOURCES.map((name) => (
        <button
          key={name}
          type="button"
          role="radio"
          aria-checked={name === source}
          className={styles['source']}
          {...roving.itemProps(name)}
          onClick={() => onChange(name)}
          onFocus={() => onChange(name)}
        >
          <span className={styles['letter']} data-source={name} aria-hidden="true">
            {t(`sources.${name}`).slice(0, 1)}
          </span>
          <span>
            <b>{t(`sources.${name}`)}</b>
            <span>{t(`kinds.${name}`)}</span>
          </span>
        </button>
      ))}
    </div>
  )
}

type DropProps = {
  readonly source: ImportSource
  readonly onFiles: (name: string, files: readonly ExportFile[]) => Promise<void>
}

function DropArea({ source, onFiles }: DropProps) {
  const t = useTexts('imports')
  const [over, setOver] = useState(false)
  const [fault, setFault] = useState<'empty' | 'large'>()
  const file = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const take = (name: string, files: readonly ExportFile[]): void => {
    setFault(files.length === 0 ? 'empty' : undefined)
    if (files.length > 0) void onFiles(name.slice(0, 255), files)
  }
  const takeDropped = async (coming: Promise<Dropped>): Promise<void> => {
    const dropped = await coming
    if (dropped.refused.some(({ large }) => large)) return setFault('large')
    const { name, files } = exportIn(dropped)
    take(name, files)
  }
  const onDrop = (event: DragEvent): void => {
    if (!hasFiles(event.dataTransfer)) return
    event.preventDefault()
    setOver(false)
    void takeDropped(droppedIn(event.dataTransfer, FOLDER_LIMITS))
  }
  const onDragOver = (event: DragEvent): void => {
    if (!hasFiles(event.dataTransfer)) return
    event.preventDefault()
    setOver(true)
  }
  const onlyFolder = source === 'telegram'
  return (
    <div
      className={cx(styles['drop'], over && styles['over'])}
      role="group"
      aria-label={t(`drop.${source}`)}
      onDragOver={onDragOver}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <Icon name="upload" size={22} />
      <b>{over ? t('drop.over') : t(`drop.${source}`)}</b>
      <span className={styles['dropButtons']}>
        {onlyFolder ? null : (
          <Button onClick={() => file.current?.click()}>{t(source === 'discord' ? 'drop.files' : 'drop.file')}</Button>
        )}
        {FOLDERS.has(source) ? <Button onClick={() => folder.current?.click()}>{t('drop.folder')}</Button> : null}
      </span>
      <span className={styles['how']}>{t(`how.${source}`)}</span>
      {fault === undefined ? null : (
        <p role="alert" className={styles['fault']}>
          {t(`drop.${fault}`)}
        </p>
      )}
      <Inputs source={source} file={file} folder={folder} onFiles={take} />
    </div>
  )
}

type InputsProps = {
  readonly source: ImportSource
  readonly file: RefObject<HTMLInputElement | null>
  readonly folder: RefObject<HTMLInputElement | null>
  readonly onFiles: (name: string, files: readonly ExportFile[]) => void
}

/** React does not know the attribute, and passes it on. */
const FOLDER = { webkitdirectory: '' }

/** The dialogs of the system for files and folders. */
function Inputs({ source, file, folder, onFiles }: InputsProps) {
  return (
    <>
      <input
        ref={file}
        type="file"
        hidden
        multiple={source === 'discord'}
        accept=".zip,.json,.jsonl"
        data-choose="file"
        onChange={({ currentTarget }) => {
          const chosen = [...(currentTarget.files ?? [])]
          onFiles(chosen[0]?.name ?? '', chosen.map(asExportFile))
          currentTarget.value = ''
        }}
      />
      <input
        {...FOLDER}
        ref={folder}
        type="file"
        hidden
        data-choose="folder"
        onChange={({ currentTarget }) => {
          const chosen = [...(currentTarget.files ?? [])]
          const name = chosen[0]?.webkitRelativePath.split('/')[0] ?? ''
          onFiles(
            name,
            chosen.map((each) => ({ path: withoutFolder(each.webkitRelativePath), file: each })),
          )
          currentTarget.value = ''
        }}
      />
    </>
  )
}

const asExportFile = (file: File): ExportFile => ({ path: file.name, file })

/** The path below the folder that was chosen. */
const withoutFolder = (path: string): string => path.slice(path.indexOf('/') + 1)

/** What is in a single folder, or everything that was dropped. */
function exportIn({ files, folders }: Dropped): { readonly name: string; readonly files: readonly ExportFile[] } {
  const [folder, ...more] = folders
  const all = folders.flatMap((each) => each.files.map(({ path, file }) => ({ path, file })))
  if (folder && more.length === 0 && files.length === 0)
    return { name: folder.name, files: all.map(({ path, file }) => ({ path: withoutFolder(path), file })) }
  return { name: files[0]?.name ?? folder?.name ?? '', files: [...files.map(asExportFile), ...all] }
}
