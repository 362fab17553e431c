import * as drafts from '#main/cache/outbox/drafts.ts'
import type { Core } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import { uploadCalls } from './calls.ts'
import { uploading } from './requests.ts'
import { loadUploadRules } from './rules.ts'
import { tidyStaging } from './staging.ts'

type Parts = Pick<
  Core,
  'background' | 'cache' | 'context' | 'memory' | 'notify' | 'outbox' | 'ports' | 'runner' | 'stagingFolder' | 'stores'
>

export const uploadsFeature = defineFeature({
  kinds: { upload: uploading },
  create(core: Parts) {
    const inDrafts = () => new Set(drafts.all(core.stores.outbox.reader).flatMap((row) => row.uploadIds))
    return {
      calls: { uploads: uploadCalls(core) },
      start: [
        { phase: 'before-connection', order: 20, run: () => loadUploadRules(core) },
        { phase: 'before-connection', order: 30, run: () => tidyStaging(core, inDrafts()) },
      ],
    }
  },
})
