-- Counters of tries within a window. A key is a keyed hash, so no address or account stands here.
CREATE TABLE "rate" (
  "key" TEXT NOT NULL PRIMARY KEY,
  "count" INTEGER NOT NULL,
  "endsAt" INTEGER NOT NULL
) WITHOUT ROWID;
