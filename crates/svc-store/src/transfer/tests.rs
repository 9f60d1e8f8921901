//! The lists of tables and the checks of files.

use super::*;

#[tokio::test]
async fn every_table_of_the_schema_is_copied() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.sqlite");
    let mut link = Link::open(StoreUrl::Sqlite(&path)).await.unwrap();
    let mut conn = link.conn();
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' \
        AND name NOT LIKE 'sqlite_%' AND name <> 'svc_store' ORDER BY name";
    let rows = conn.fetch_all(sql, &[]).await.unwrap();
    let in_schema: Vec<String> = rows.iter().map(|row| row.text(0).unwrap()).collect();
    let mut listed = TABLES.to_vec();
    listed.sort_unstable();
    assert_eq!(listed, in_schema);
    let sql = "SELECT name FROM sqlite_schema WHERE sql LIKE '%AUTOINCREMENT%' ORDER BY name";
    let rows = conn.fetch_all(sql, &[]).await.unwrap();
    let in_schema: Vec<String> = rows.iter().map(|row| row.text(0).unwrap()).collect();
    let mut listed = NUMBERED_TABLES.to_vec();
    listed.sort_unstable();
    assert_eq!(listed, in_schema);
}

#[tokio::test]
async fn a_damaged_file_and_a_file_of_another_program_are_rejected() {
    let dir = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", dir.path().join("a.sqlite").display());
    let link = Link::open(StoreUrl::parse(&url).unwrap()).await.unwrap();
    link.close().await;
    let copy = dir.path().join("copy.sqlite");
    back_up_store(&url, &copy).await.unwrap();
    let version = migrations::current_version();
    assert_eq!(check_store_file(&copy).await, Ok(version));
    let mut bytes = std::fs::read(&copy).unwrap();
    let middle = bytes.len() / 2;
    for byte in &mut bytes[middle..] {
        *byte = 0x55;
    }
    std::fs::write(&copy, &bytes).unwrap();
    let error = check_store_file(&copy).await.unwrap_err();
    assert!(matches!(error, TransferError::Damaged(_)), "{error}");
    std::fs::write(&copy, "text").unwrap();
    let error = check_store_file(&copy).await.unwrap_err();
    assert!(matches!(error, TransferError::Damaged(_)), "{error}");
    let other = dir.path().join("other.sqlite");
    std::fs::write(&other, "").unwrap();
    let error = check_store_file(&other).await.unwrap_err();
    assert_eq!(
        error,
        TransferError::Damaged("it is not a store".to_owned())
    );
}
