//! Tests of whole migrations.
