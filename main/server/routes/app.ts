import { getApp, hi, type UploadConfig } from '#shared/wire/app.ts'
import { UPLOAD_LIMIT_BYTES } from '#shared/constants.ts'
import { route, type Route } from '../http/router.ts'

/** No list means no rule; what may run as a program or as a page is served as a download anyway. */
export const UPLOAD_CONFIG: UploadConfig = {
  allowed_file_extensions: [],
  blocked_file_extensions: [],
  allowed_mime_types: [],
  blocked_mime_types: [],
  size_limit: UPLOAD_LIMIT_BYTES,
}

export const appRoutes: readonly Route[] = [
  { ...route(hi, {}, () => ({})), open: true },
  route(getApp, {}, () => ({
    app: {
      name: 'Parlor',
      image_upload_config: UPLOAD_CONFIG,
      file_upload_config: UPLOAD_CONFIG,
      async_url_enrich_enabled: false,
      auto_translation_enabled: false,
    },
  })),
]
