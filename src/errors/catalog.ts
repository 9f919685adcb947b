/**
 * Every error code a caller can meet, in one table. `fault` says whose move it is: it decides the log level and
 * whether operators are alerted. 402 is always money, 429 always time, 409 "the same request, later",
 * 422 "change the request", and 502/503/504 lie behind the gateway: nothing was charged.
 */
export type ErrorSpec = {
  readonly status: number
  readonly fault: 'caller' | 'vendor' | 'operator' | 'gateway'
  readonly retryable: boolean
  readonly title: string
  /** What to do, used when the place that raises the error has nothing more precise to say. */
  readonly fix: string
}

export const errorCatalog = {
  bad_request: { status: 400, fault: 'caller', retryable: false, title: 'The request could not be read', fix: 'Correct the request as the message says and send it again.' },
  invalid_params: { status: 400, fault: 'caller', retryable: false, title: 'A parameter is missing, unknown or has the wrong value', fix: 'Correct the named field as the message says. GET on the address of an action lists its parameters.' },
  bad_url: { status: 400, fault: 'caller', retryable: false, title: 'An input is not a URL of a web page', fix: 'Send an http or https address, for example "https://example.com/page".' },
  onescrape_social: { status: 400, fault: 'caller', retryable: false, title: 'Social platform pages are not read by onescrape', fix: 'Platforms have actions of their own, in socialread and platform: ask core/discover for the platform by name.' },
  onescrape_document: { status: 400, fault: 'caller', retryable: false, title: 'PDF and Office documents and other files are not read by onescrape', fix: 'Send the address of a web page. files/upload_from_url keeps a document as a file.' },
  onefind_identifier: { status: 400, fault: 'caller', retryable: false, title: 'onefind takes a description, not an identifier', fix: 'Use core/onefind-deep with "rows" for e-mail addresses and LinkedIn profiles; a phone number cannot be looked up.' },
  invalid_token: { status: 401, fault: 'caller', retryable: false, title: 'The key is missing, malformed or revoked', fix: 'Send the header "Authorization: Bearer <API_KEY>". Keys are made on /keys of this gateway, or with the primary key (POST /api/v1/agents).' },
  sign_in_refused: { status: 401, fault: 'caller', retryable: false, title: 'Nobody was signed in', fix: 'Check what was entered, or sign in another way.' },
  payment_required: { status: 402, fault: 'caller', retryable: false, title: 'This call wants a payment', fix: 'Pay as WWW-Authenticate (MPP) or PAYMENT-REQUIRED (x402) asks and send the same request with the payment, or use a key.' },
  credits_required: { status: 402, fault: 'caller', retryable: false, title: 'Not enough credit for this call', fix: 'Add credit to the account, or lower the cost of the call.' },
  api_key_limit_exceeded: { status: 402, fault: 'caller', retryable: false, title: 'The spend ceiling of this key leaves too little for this call', fix: 'Wait for the window to reset, or raise the ceiling on /keys or with the primary key.' },
  max_cost_exceeded: { status: 402, fault: 'caller', retryable: false, title: 'The price is above max_cost_cents', fix: 'Raise max_cost_cents to at least details.price_cents, or leave it out.' },
  api_key_paused: { status: 403, fault: 'caller', retryable: false, title: 'This key is paused', fix: 'Resume it on /keys, or with PATCH /api/v1/agents/{id} {"paused": false} and the primary key.' },
  key_cannot_mint_keys: { status: 403, fault: 'caller', retryable: false, title: 'Only the primary key may change keys', fix: 'Use the primary key, the first one of the account, or sign in at /sign-in and change keys on /keys.' },
  primary_key_needed: { status: 403, fault: 'caller', retryable: false, title: 'The primary key of an account cannot be revoked', fix: 'Swap its secret instead: POST /api/v1/agents/{id}/rotate.' },
  key_quota_exceeded: { status: 403, fault: 'caller', retryable: false, title: 'The account has as many keys as it may have', fix: 'Revoke keys that are no longer used: DELETE /api/v1/agents/{id}.' },
  storage_quota_exceeded: { status: 403, fault: 'caller', retryable: false, title: 'The storage quota of the account is used up', fix: 'Delete files that are no longer needed.' },
  link_invalid: { status: 403, fault: 'caller', retryable: false, title: 'This file link is not valid, or not any more', fix: 'Use the link exactly as it was given; files/get gives a fresh one.' },
  sign_in_link_invalid: { status: 403, fault: 'caller', retryable: false, title: 'This sign-in link is not valid, or not any more', fix: 'Ask for a new link: each works once, and not for long.' },
  foreign_host: { status: 403, fault: 'caller', retryable: false, title: 'The request names a host or an origin that is not this gateway', fix: 'Call the gateway by its own address.' },
  not_found: { status: 404, fault: 'caller', retryable: false, title: 'There is nothing here', fix: 'Check the address. GET /openapi.json lists every address, GET /api/run every action.' },
  unknown_service: { status: 404, fault: 'caller', retryable: false, title: 'There is no such service', fix: 'GET /api/run lists all services; core/discover searches them.' },
  unknown_action: { status: 404, fault: 'caller', retryable: false, title: 'There is no such action', fix: 'GET /api/run lists all actions; core/discover searches them.' },
  unknown_job: { status: 404, fault: 'caller', retryable: false, title: 'There is no such job', fix: 'Check the job_id: the submission answered it, and results are kept for 30 days. A job of a test key is seen with test keys, one of a live key with live keys.' },
  unknown_transaction: { status: 404, fault: 'caller', retryable: false, title: 'There is no kept answer of such a transaction', fix: 'Check the transaction_id: it is in the answer of media/generate, which is kept for 30 days. Answers to a test key are seen with test keys, those to a live key with live keys.' },
  model_not_found: { status: 404, fault: 'caller', retryable: false, title: 'There is no such language model', fix: 'GET /api/llm/v1/models lists all models; core/cheap, core/mid and core/best always lead to current ones.' },
  unknown_conversation: { status: 404, fault: 'caller', retryable: false, title: 'There is no such conversation', fix: 'Leave out conversation_id to start a new one; a conversation is forgotten a day after its last turn.' },
  unknown_key: { status: 404, fault: 'caller', retryable: false, title: 'There is no such key', fix: 'GET /api/v1/agents lists the keys of the account.' },
  unknown_file: { status: 404, fault: 'caller', retryable: false, title: 'There is no such file', fix: 'Check the file_id; files/list lists the files of the account. One that files/upload made room for is there once all its bytes have come to put_url.' },
  unknown_session: { status: 404, fault: 'caller', retryable: false, title: 'There is no such session', fix: 'Check the session_id; a session that was closed or ran out of time is gone. Make a new one.' },
  unknown_snapshot: { status: 404, fault: 'caller', retryable: false, title: 'There is no such snapshot', fix: 'Check the snapshot_id: boxd/list_snapshots lists the snapshots of the account. A snapshot is deleted seven days after it was taken.' },
  unknown_inbox: { status: 404, fault: 'caller', retryable: false, title: 'There is no such inbox', fix: 'Check the inbox_id: it is the address that inbox/create_inbox answered to this account.' },
  unknown_sandbox: { status: 404, fault: 'caller', retryable: false, title: 'There is no such sandbox', fix: 'Check the sandbox_id: it is what sandbox/sandbox-create answered to this account.' },
  unknown_repo: { status: 404, fault: 'caller', retryable: false, title: 'There is no such repository', fix: 'Check the repo_id: it is what gitstore/repo-create answered to this account.' },
  method_not_allowed: { status: 405, fault: 'caller', retryable: false, title: 'This address does not take that method', fix: 'Use one of the methods in the Allow header.' },
  idempotency_in_progress: { status: 409, fault: 'caller', retryable: true, title: 'A call with this Idempotency-Key is still running', fix: 'Wait as many seconds as the Retry-After header says, then send the same request again.' },
  upstream_conflict: { status: 409, fault: 'vendor', retryable: true, title: 'The service behind this action is busy with another call', fix: 'Send the same request again, and calls of this kind one after the other.' },
  job_cancelled: { status: 409, fault: 'caller', retryable: false, title: 'The job was cancelled', fix: 'Submit it again if it is wanted after all; what it had delivered is in its result.' },
  request_timeout: { status: 408, fault: 'caller', retryable: true, title: 'The request did not arrive in time', fix: 'Send the whole request at once.' },
  payload_too_large: { status: 413, fault: 'caller', retryable: false, title: 'The request body is too large', fix: 'Send at most 1 MiB of JSON (20 MiB to /api/llm/v1). Large content belongs in a file or behind a URL.' },
  file_too_large: { status: 413, fault: 'caller', retryable: false, title: 'The file is too large', fix: 'Send a smaller file.' },
  unsupported_media_type: { status: 415, fault: 'caller', retryable: false, title: 'The body comes in a form that is not read here', fix: 'Send JSON with the header "Content-Type: application/json".' },
  range_not_satisfiable: { status: 416, fault: 'caller', retryable: false, title: 'The range lies outside the file', fix: 'Ask for a range within details.size, or leave the Range header out.' },
  idempotency_key_reused: { status: 422, fault: 'caller', retryable: false, title: 'This Idempotency-Key was used with another body', fix: 'Use a new Idempotency-Key for a new request.' },
  key_changed: { status: 422, fault: 'caller', retryable: false, title: 'This key was changed since its form was opened, so nothing was saved', fix: 'Look at its present values and make your change again.' },
  key_revoked: { status: 422, fault: 'caller', retryable: false, title: 'This key was revoked', fix: 'Make a new key; a revoked one stays revoked.' },
  email_taken: { status: 422, fault: 'caller', retryable: false, title: 'There is an account with this e-mail address already', fix: 'Use that account, or another address.' },
  upload_mismatch: { status: 422, fault: 'caller', retryable: false, title: 'The bytes are not those that the upload slot is for', fix: 'Send exactly the bytes that files/upload announced, whole and in one PUT; or make a new slot.' },
  upstream_rejected: { status: 422, fault: 'vendor', retryable: false, title: 'The service behind this action refused the parameters', fix: 'Change the parameters as details.upstream.message says.' },
  headers_too_large: { status: 431, fault: 'caller', retryable: false, title: 'The headers of the request are too large', fix: 'Send at most 16 KiB of headers.' },
  rate_limited: { status: 429, fault: 'caller', retryable: true, title: 'Too many requests', fix: 'Wait as many seconds as the Retry-After header says, then send the same request again.' },
  too_many_inflight: { status: 429, fault: 'caller', retryable: true, title: 'Too many deep jobs, or compute sessions, are running on this account', fix: 'Wait for a job to finish, or close a session, then send the call again.' },
  inference_daily_cap: { status: 429, fault: 'caller', retryable: true, title: 'The account has used up what it may spend on language models today', fix: 'Wait as many seconds as the Retry-After header says: until 00:00 UTC. The operator of the gateway can raise what an account may spend.' },
  internal: { status: 500, fault: 'gateway', retryable: true, title: 'Something broke on our side', fix: 'Try again; nothing was charged. If it happens again, tell the operator of this gateway the request_id.' },
  all_blocked: { status: 502, fault: 'vendor', retryable: true, title: 'No page could be read', fix: 'The rows say of each page what came of it. Check the addresses, or try again later; nothing was charged.' },
  no_people: { status: 502, fault: 'vendor', retryable: false, title: 'Nobody was found', fix: 'Check names and addresses, or describe the people in other words.' },
  no_results: { status: 502, fault: 'vendor', retryable: false, title: 'Nothing useful came back', fix: 'Ask for something else, or in other words; nothing was charged.' },
  upstream_error: { status: 502, fault: 'vendor', retryable: true, title: 'The service behind this action failed', fix: 'Try again later; nothing was charged.' },
  upstream_payment: { status: 502, fault: 'operator', retryable: false, title: 'The service behind this action wants payment from the operator of this gateway', fix: 'Tell the operator of this gateway; nothing was charged.' },
  payment_unknown: { status: 502, fault: 'operator', retryable: false, title: 'A merchant was sent a payment, and it is not known yet whether it was taken', fix: 'The operator of this gateway looks it up. A new request pays again. charged_micros shows whether this one was charged; the operator refunds a payment that was not taken.' },
  job_deadline: { status: 504, fault: 'gateway', retryable: true, title: 'The job did not finish before its deadline', fix: 'Submit it again, with fewer rows or pages if it is a large one; nothing was charged.' },
  job_lost: { status: 502, fault: 'vendor', retryable: true, title: 'The service behind this action no longer knows the job', fix: 'Submit the job again; nothing was charged.' },
  job_interrupted: { status: 503, fault: 'gateway', retryable: true, title: 'The job was interrupted', fix: 'Submit the job again; nothing was charged.' },
  upstream_not_configured: { status: 503, fault: 'operator', retryable: false, title: 'This action is not set up on this gateway', fix: 'Try it with a test key, which reaches a simulation. For real answers the operator of this gateway must set up the vendor.' },
  price_unknown: { status: 503, fault: 'operator', retryable: true, title: 'The price of this call is not known at the moment', fix: 'Try again later; nothing was charged.' },
  upstream_busy: { status: 503, fault: 'vendor', retryable: true, title: 'The service behind this action takes no more calls at the moment', fix: 'Wait as many seconds as the Retry-After header says, then send the same request again.' },
  shutting_down: { status: 503, fault: 'gateway', retryable: true, title: 'This gateway process is stopping', fix: 'Send the same request again; another process, or the restarted one, will answer.' },
  overloaded: { status: 503, fault: 'gateway', retryable: true, title: 'The gateway has more work than it can take', fix: 'Try again in a moment; the Retry-After header says in how many seconds.' },
  upstream_not_found: { status: 404, fault: 'vendor', retryable: false, title: 'The service behind this action does not know that item', fix: 'Check the id or name.' },
  upstream_timeout: { status: 504, fault: 'vendor', retryable: true, title: 'The service behind this action did not answer in time', fix: 'Try again later; nothing was charged.' },
} as const satisfies Record<string, ErrorSpec>

export type ErrorCode = keyof typeof errorCatalog
