import type { Attachment } from '#shared/domain/attachment.ts'
import type { Message } from '#shared/domain/message.ts'
import { thingsOn } from '#shared/rules/channels/media-tabs.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { DownloadButton, FileName, FileTile, mediaRef, useDownload } from '../../attachments/index.ts'
import { ItemRow } from './ItemRow.tsx'
import type { ListProps } from './MediaPanel.tsx'
import styles from '../Info.module.css'

/** Files and recordings, newest first. */
export function FilesList({ tab, labelledBy }: ListProps) {
  const items = (tab.messages ?? []).flatMap((message) =>
    thingsOn('files', message.attachments, tab.only).map((attachment) => ({ message, attachment })),
  )
  if (items.length === 0) return null
  return (
    <ul className={styles['section']} aria-labelledby={labelledBy}>
      {items.map(({ message, attachment }) => (
        <FileItem key={`${message.id}.${attachment.index}`} message={message} attachment={attachment} />
      ))}
    </ul>
  )
}

function FileItem({ message, attachment }: { readonly message: Message; readonly attachment: Attachment }) {
  const t = useTexts('details')
  const formats = useFormats()
  const name = cleanName(attachment.title ?? '') || t('shelf.file')
  const download = useDownload(mediaRef(message.id, attachment.index), name)
  return (
    <ItemRow
      message={message}
      tile={<FileTile name={name} />}
      name={<FileName name={name} />}
      {...(attachment.sizeBytes === undefined ? {} : { more: formats.bytes(attachment.sizeBytes) })}
    >
      {attachment.hasMedia ? <DownloadButton download={download} name={name} /> : null}
    </ItemRow>
  )
}
